import { useAtomValue } from 'jotai'
import { Modal } from './modal.tsx'
import { dayAndTime } from '../../format.ts'
import { activityAtom } from '../../state/activity.ts'
import { closeDialog } from '../../state/dialog.ts'
import styles from './activity-panel.module.css'
import { Pill } from '../ui/pill.tsx'
import { useDialog } from '../ui/use-dialog.ts'

/** R6: what was done and what failed in this session, also failures without a message. Opens only on request. */
export function ActivityPanel() {
  const dialog = useDialog('activity')
  return (
    <Modal open={dialog !== null} close={closeDialog} title="Activity of this session" place="side">
      <Entries />
    </Modal>
  )
}

function Entries() {
  const entries = useAtomValue(activityAtom)
  return (
    <>
      {entries.length === 0 && <p>Nothing was done yet.</p>}
      <ol className={styles.entries}>
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
    </>
  )
}
