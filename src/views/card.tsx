import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { capabilitiesAtom } from '../api/config.ts'
import type { Noun } from '../commands/noun.ts'
import { hrefOf } from '../state/list.ts'
import styles from './dashboard.module.css'
import { exactly } from './ui/exactly.ts'

/** Records that a figure adds up: those of a noun, or those that a term of its filter names. */
export type Rows = readonly [of: Noun, term?: string]

interface CardProps {
  label: string
  /** Null until it is loaded. */
  figure: { value: unknown; shown: string } | null
  /** What is read instead of a figure that is not there. */
  missing: string
  /** The lists that make it up (docs/figures.md), linked where the server offers their filters. */
  rows: readonly Rows[]
  caption?: ReactNode
}

/** S2.c.1, S2.c.2. The figure links to its list; if several lists make it up, each has a link below. */
export function Card({ label, figure, missing, rows, caption }: CardProps) {
  const { filters } = useAtomValue(capabilitiesAtom)
  const lists = rows.flatMap(([{ path, plural, calls }, term = '']) => {
    const offered = filters[calls.collection]
    const isOffered = offered && (!term || offered.includes(term))
    return isOffered ? [{ href: hrefOf(path, term && `filter=${term}`), plural }] : []
  })
  const [list] = rows.length === 1 ? lists : []
  return (
    <div>
      <dt>{label}</dt>
      {figure ? (
        <dd {...exactly(figure.value)}>
          {list ? (
            <Link href={list.href} aria-label={`${label}: ${figure.shown}`}>
              {figure.shown}
            </Link>
          ) : (
            figure.shown
          )}
        </dd>
      ) : (
        <dd className={styles.blank}>
          <span className="visually-hidden">{missing}</span>
        </dd>
      )}
      {caption}
      {rows.length > 1 && lists.length > 0 && (
        <dd className={styles.parts}>
          {lists.map(({ href, plural }) => (
            <Link key={href} href={href} aria-label={`${label}: ${plural}`}>
              {plural}
            </Link>
          ))}
        </dd>
      )}
    </div>
  )
}
