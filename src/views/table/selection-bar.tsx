import { useAtomValue } from 'jotai'
import { Fragment, useEffect, useRef } from 'react'
import { rowCommands } from '../../commands/app.ts'
import { batchesAtom } from '../../commands/batch.ts'
import type { Command } from '../../commands/command.ts'
import { isRunnable } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { listedAtom } from '../../commands/list.ts'
import { cancelSelecting, canSelectMatching, mostSelected, selectMatching } from '../../commands/matching.ts'
import { runCommand } from '../../commands/run-command.ts'
import { loadingAtom } from '../../commands/selection.ts'
import { count as formatCount } from '../../format.ts'
import { isFocusNowhere } from '../../state/focus.ts'
import { Batches } from '../ui/batches.tsx'
import { Progress } from '../ui/progress.tsx'
import type { SelectionBarProps } from './late-parts.ts'
import styles from './selection-bar.module.css'

/** What is selected and what can be done to all of it; while that is under way, its progress. */
export function SelectionBar(props: SelectionBarProps) {
  const batches = useAtomValue(batchesAtom)
  const loading = useAtomValue(loadingAtom)
  const stage = [...batches.map(({ state }) => state), loading && 'loading', props.targets.length > 0].join()
  const lastStage = useRef(stage)
  useEffect(() => {
    // The focus went with a button of the bar.
    if (lastStage.current !== stage && isFocusNowhere()) props.leave()
    lastStage.current = stage
  })
  if (batches.length > 0) return <Batches />
  if (loading) return <Selecting {...loading} />
  return props.targets.length > 0 && <Selected {...props} />
}

/** With more commands, the bar shows half as many and a button for all, so that it stays one line in a wide window. */
const mostButtons = 4

function Selected({ targets, elsewhere, rowsOnPage, commands, clear, leave }: SelectionBarProps) {
  const onScreen = useAtomValue(contextAtom)
  const listed = useAtomValue(listedAtom)
  const context = { ...onScreen, targets }
  const all = commands.filter((command) => command.noun && isRunnable(command, context))
  const offered = all.length > mostButtons ? all.slice(0, mostButtons / 2) : all
  const here = targets.length - elsewhere
  const isWholePage = rowsOnPage > 0 && here === rowsOnPage
  const run = (command: Command) => {
    runCommand(command, context, 'mouse')
    leave()
  }
  return (
    <div className={styles.bar} role="group" aria-label="Selection">
      <span aria-live="polite">{sentence(here, rowsOnPage, elsewhere)}</span>
      {isWholePage && canSelectMatching(listed) && (
        <button type="button" data-command={selectMatching.id} onClick={() => run(selectMatching)}>
          {selectMatching.title(context)}
        </button>
      )}
      {offered.map((command, at) => {
        const note = command.note?.(context) ?? ''
        return (
          <Fragment key={command.id}>
            <button
              type="button"
              title={note}
              aria-description={note}
              data-command={command.id}
              onClick={() => run(command)}
            >
              {command.title(context)}
            </button>
            {/* The first one's in view; the others say the reverse of it. */}
            {at === 0 && note && <span className={styles.note}>{note}</span>}
          </Fragment>
        )
      })}
      {offered.length < all.length && (
        <button type="button" data-command={rowCommands.id} onClick={() => run(rowCommands)}>
          More…
        </button>
      )}
      <button
        type="button"
        data-command="list.clearSelection"
        onClick={() => {
          clear()
          leave()
        }}
      >
        Clear selection
      </button>
    </div>
  )
}

/** "3 of 50 selected", or "5 selected: 3 of 50 on this page, 2 on other pages". */
function sentence(here: number, rowsOnPage: number, elsewhere: number): string {
  const ofPage = `${formatCount(here)} of ${formatCount(rowsOnPage)}`
  const all = here + elsewhere
  const counts =
    elsewhere === 0
      ? `${ofPage} selected`
      : `${formatCount(all)} selected: ${ofPage} on this page, ${formatCount(elsewhere)} on other pages`
  return all >= mostSelected ? `${counts} (the most at once)` : counts
}

function Selecting({ loaded, total, cancel }: { loaded: number; total: number | null; cancel: () => void }) {
  const text = `Selecting ${formatCount(loaded)}${total === null ? '' : ` of ${formatCount(total)}`}`
  return (
    <Progress label="Selecting" text={text} done={loaded} total={total}>
      <button type="button" data-command={cancelSelecting.id} onClick={cancel}>
        Cancel
      </button>
    </Progress>
  )
}
