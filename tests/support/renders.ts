import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'

/** A spy on the renders of an icon, and so of the part of the console that has it. */
export function rendersOf(icon: LucideIcon) {
  const isForwarded = (one: object): one is { render: () => ReactNode } => 'render' in one
  if (!isForwarded(icon)) throw new Error('This icon is no forwardRef component.')
  return vi.spyOn(icon, 'render')
}

/**
 * The largest number of updates that a state of a component on screen keeps. React keeps each of them, also those that set
 * the same value again, until it renders the component.
 */
export function mostKeptUpdates(): number {
  const container = document.body.firstElementChild ?? {}
  const name = Object.keys(container).find((one) => one.startsWith('__reactContainer$'))
  const root = part(container, name ?? '')
  const open: unknown[] = [part(part(root, 'stateNode'), 'current')]
  if (!open[0]) throw new Error('React rendered nothing here.')
  let most = 0
  while (open.length > 0) {
    const fiber = open.pop()
    for (let hook = part(fiber, 'memoizedState'); hook; hook = part(hook, 'next'))
      most = Math.max(most, lengthOfRing(part(part(hook, 'queue'), 'pending')))
    open.push(...[part(fiber, 'child'), part(fiber, 'sibling')].filter(Boolean))
  }
  return most
}

const part = (one: unknown, name: string): unknown =>
  typeof one === 'object' && one !== null ? Reflect.get(one, name) : undefined

/** Each update names the next one, and the last one the first. */
function lengthOfRing(last: unknown): number {
  const seen = new Set<unknown>()
  for (let one = last; one && !seen.has(one); one = part(one, 'next')) seen.add(one)
  return seen.size
}
