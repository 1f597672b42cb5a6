import styles from './skeleton.module.css'

/** Placeholder rows, shown until the first answer is received. */
export function Skeleton({ columns, word }: { columns: number; word?: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {word && <p>{word}</p>}
      {Array.from({ length: 12 }, (_, row) => (
        <div key={row} className={styles.row}>
          {Array.from({ length: columns }, (_cell, column) => (
            <span key={column} />
          ))}
        </div>
      ))}
    </div>
  )
}
