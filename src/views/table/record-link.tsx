import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useCellTabIndex } from '../ui/cell.ts'

/** A name or id as a real link, so that middle click, Ctrl-click and copying the address work. */
export function RecordLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} tabIndex={useCellTabIndex()}>
      {children}
    </Link>
  )
}
