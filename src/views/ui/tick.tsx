import { Check, X } from 'lucide-react'
import styles from './tick.module.css'

/** S2.k.3: a green tick or a red cross; blank if the value is not a boolean. */
export function Tick({ of, value }: { of: string; value: unknown }) {
  if (typeof value !== 'boolean') return null
  const Icon = value ? Check : X
  return (
    <Icon
      size={16}
      className={styles.tick}
      data-tick={value}
      role="img"
      aria-label={`${of}: ${value ? 'yes' : 'no'}`}
    />
  )
}
