import type { ReactNode } from 'react'
import styles from './screen-header.module.css'

interface ScreenHeaderProps {
  title: string
  /** Stands before the title: the way back. */
  back?: ReactNode
  children?: ReactNode
}

/** The title of a screen with what belongs beside it. */
export function ScreenHeader({ title, back, children }: ScreenHeaderProps) {
  return (
    <header className={styles.header}>
      <title>{`${title} · Twende OMS`}</title>
      {back}
      <h1>{title}</h1>
      {children}
    </header>
  )
}
