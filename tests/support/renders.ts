import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'

/** A spy on the renders of an icon, and so of the part of the console that has it. */
export function rendersOf(icon: LucideIcon) {
  const isForwarded = (one: object): one is { render: () => ReactNode } => 'render' in one
  if (!isForwarded(icon)) throw new Error('This icon is no forwardRef component.')
  return vi.spyOn(icon, 'render')
}
