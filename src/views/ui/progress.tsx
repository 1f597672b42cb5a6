import type { ReactNode } from 'react'
import styles from './progress.module.css'

interface ProgressProps {
  label: string
  /** "Suspending 12 of 50" */
  text: string
  done: number
  /** Null if it is not known. */
  total: number | null
  /** Buttons. */
  children?: ReactNode
}

/** How far something has come that takes a while, and the buttons to control it. */
export function Progress({ label, text, done, total, children }: ProgressProps) {
  return (
    <div className={styles.progress} role="group" aria-label={label}>
      <span
        role="progressbar"
        aria-label={label}
        aria-valuetext={text}
        {...(total !== null && { 'aria-valuenow': done, 'aria-valuemin': 0, 'aria-valuemax': total })}
      >
        {text}
      </span>
      {children}
    </div>
  )
}
