import type { ReactNode } from 'react'
import styles from './pill.module.css'

export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'teal' | 'grey'

/** A status. Its text says the same as its colour. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.pill} data-tone={tone}>
      {children}
    </span>
  )
}
