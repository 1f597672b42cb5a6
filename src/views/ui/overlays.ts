import { atom } from 'jotai'
import type { ComponentType } from 'react'
import type { Driver } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import type { Trigger } from './trigger.ts'

export interface HintProps {
  trigger: Trigger
  text: string
  keys: string | undefined
  /** What screen readers say instead of its text and keys. */
  name?: string
  side: 'right' | 'top'
  /** The distance from the element, in pixels. */
  offset: number
  /** How long the pointer rests before it appears, in milliseconds. */
  delay: number
  isOff?: boolean
}

interface Overlays {
  Tooltip: ComponentType<HintProps>
  AccountMenu: ComponentType<{ trigger: Trigger; staff: string }>
  /** What the screen of a driver shows that the first list does not need. */
  DriverMore: ComponentType<{ driver: Row<Driver> }>
  /** The pinned views of the list with this path. */
  PinnedViews: ComponentType<{ path: string; isNamed: boolean }>
}

/**
 * The tooltips, the menu of the top bar and parts of screens; null until their code has come. It is in one file with the dialogs: an import that has failed
 * can be repeated under another address, but not the imports of the imported file.
 */
export const overlaysAtom = atom<Overlays | null>(null)

/** How many times a button was pressed that needs them before they have come. */
export const earlyPressesAtom = atom(0)
