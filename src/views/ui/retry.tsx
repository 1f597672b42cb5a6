import styles from './retry.module.css'

/** Shown after a failed load: no message (S8.10), only a Retry button (R1). */
export function Retry({ busy, retry }: { busy: boolean; retry: () => void }) {
  return (
    <div className={styles.retry}>
      <button type="button" aria-busy={busy} onClick={retry}>
        Retry
      </button>
    </div>
  )
}
