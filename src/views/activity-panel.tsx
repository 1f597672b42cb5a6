import { useAtom, useAtomValue } from 'jotai'
import { Dialog } from 'radix-ui'
import { dayAndTime } from '../format.ts'
import { activityAtom } from '../state/activity.ts'
import { dialogAtom, returnFocus } from '../state/dialog.ts'
import styles from './activity-panel.module.css'
import { Pill } from './ui/pill.tsx'

/** R6: what was done and what failed in this session, silent failures included. Opens on demand only. */
export function ActivityPanel() {
  const [dialog, setDialog] = useAtom(dialogAtom)
  const entries = useAtomValue(activityAtom)
  return (
    <Dialog.Root open={dialog?.kind === 'activity'} onOpenChange={(open) => !open && setDialog(null)}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.panel} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <header>
            <Dialog.Title>Activity of this session</Dialog.Title>
            <Dialog.Close>Close</Dialog.Close>
          </header>
          {entries.length === 0 && <p>Nothing was done yet.</p>}
          <ol>
            {entries.map(({ id, at, what, outcome, detail }) => (
              <li key={id}>
                <div>
                  <strong>{what}</strong>
                  <Pill tone={outcome === 'done' ? 'green' : 'red'}>
                    {outcome === 'done' ? 'Done' : 'Failed'}
                  </Pill>
                </div>
                {detail && <p>{detail}</p>}
                <time dateTime={at.toISOString()}>{dayAndTime(at.toISOString())}</time>
              </li>
            ))}
          </ol>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
