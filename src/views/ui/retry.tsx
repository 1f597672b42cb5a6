import { reload } from '../../commands/app.ts'
import styles from './retry.module.css'

/** Shown after a failed load: no message (S8.10), only a Retry button (R1). Its key reloads all that is on screen. */
export function Retry({ busy, retry }: { busy: boolean; retry: () => void }) {
  return (
    <div className={styles.retry}>
      <button type="button" data-command={reload.id} aria-busy={busy} onClick={retry}>
        Retry
      </button>
    </div>
  )
}
