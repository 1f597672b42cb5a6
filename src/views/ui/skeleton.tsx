import styles from './skeleton.module.css'

/** The shape of a table while its first answer is on its way. */
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
