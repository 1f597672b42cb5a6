import type { ReactNode } from 'react'
import styles from './screen-header.module.css'

interface ScreenHeaderProps {
  title: string
  /** A link back to the list, shown before the title. */
  back?: ReactNode
  /** What the browser's tab says before the product's name, if it is not the title. */
  tab?: string
  children?: ReactNode
}

/** The title of a screen, with the controls next to it as children. */
export function ScreenHeader({ title, back, tab = title, children }: ScreenHeaderProps) {
  return (
    <header className={styles.header}>
      <title>{`${tab} · Twende OMS`}</title>
      {back}
      <h1>{title}</h1>
      {children}
    </header>
  )
}
