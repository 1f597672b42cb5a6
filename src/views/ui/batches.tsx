import { useAtomValue } from 'jotai'
import { batchesAtom, cancelBatch, pauseOrResume } from '../../commands/batch.ts'
import { count } from '../../format.ts'
import { Progress } from './progress.tsx'

/** The progress of every batch that is under way, each with Pause or Resume and Cancel. */
export function Batches() {
  const batches = useAtomValue(batchesAtom)
  return batches.map(({ id, doing, done, total, state, isWaiting, pause, resume, cancel }) => {
    const running = `${doing} ${count(Math.min(done + 1, total))} of ${count(total)}`
    const texts = {
      running,
      paused: isWaiting
        ? `${doing}: paused after ${count(done)} of ${count(total)}`
        : `${running}, then pause`,
      cancelled: `${running}, then cancel`,
    }
    return (
      <Progress key={id} label={doing} text={texts[state]} done={done} total={total}>
        {state !== 'cancelled' && (
          <>
            <button
              type="button"
              data-command={pauseOrResume.id}
              onClick={state === 'paused' ? resume : pause}
            >
              {state === 'paused' ? 'Resume' : 'Pause'}
            </button>
            <button type="button" data-command={cancelBatch.id} onClick={cancel}>
              Cancel
            </button>
          </>
        )}
      </Progress>
    )
  })
}
