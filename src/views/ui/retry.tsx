import styles from './retry.module.css'

/** What stands where a load failed: no message (S8.10), just the way on (R1). */
export function Retry({ busy, retry }: { busy: boolean; retry: () => void }) {
  return (
    <div className={styles.retry}>
      <button type="button" aria-busy={busy} onClick={retry}>
        Retry
      </button>
    </div>
  )
}
