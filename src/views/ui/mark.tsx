import type { LucideIcon } from 'lucide-react'
import styles from './tick.module.css'

export interface State {
  Icon: LucideIcon
  /** The tooltip, and what screen readers say. */
  text: string
  /** Not yet a fault. */
  isWarning?: boolean
}

/** A state that the text beside it does not say. It has no text itself, as the texts of cells are specified. */
export function Mark({ Icon, text, isWarning = false }: State) {
  return (
    <span
      className={styles.tick}
      data-tick={isWarning ? 'soon' : 'state'}
      role="img"
      aria-label={text}
      title={text}
    >
      <Icon size={14} aria-hidden />
    </span>
  )
}
