import type { MouseEvent, ReactNode } from 'react'
import { navigate } from '../../state/location.ts'
import { useCellTabIndex } from '../ui/cell.ts'

/**
 * A name or id as a real link, so that middle click, Ctrl-click and copying the address work. Not wouter's: a table has many,
 * and each of those follows the address of the page.
 */
export function RecordLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} tabIndex={useCellTabIndex()} onClick={follow}>
      {children}
    </a>
  )
}

function follow(event: MouseEvent<HTMLAnchorElement>): void {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey || metaKey || altKey || shiftKey || event.button !== 0 || event.defaultPrevented) return
  event.preventDefault()
  navigate(event.currentTarget.getAttribute('href') ?? '')
}
