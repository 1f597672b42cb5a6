import { atom } from 'jotai'
import type { ComponentType } from 'react'
import type { Driver } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import type { Trigger } from './trigger.ts'

interface Overlays {
  AccountMenu: ComponentType<{ trigger: Trigger; staff: string }>
  /** What the screen of a driver shows that the first list does not need. */
  DriverMore: ComponentType<{ driver: Row<Driver> }>
  /** The number of new SOS logs. */
  NewSos: ComponentType
  /** The pinned views of the list with this path. */
  PinnedViews: ComponentType<{ path: string; isNamed: boolean }>
}

/**
 * The menu of the top bar and parts of screens; null until their code has come. It is in one file with the dialogs: an import that has failed
 * can be repeated under another address, but not the imports of the imported file.
 */
export const overlaysAtom = atom<Overlays | null>(null)

/** How many times a button was pressed that needs them before they have come. */
export const earlyPressesAtom = atom(0)

/** The `data-hint` of a link in the sidebar (tooltips.tsx): a tooltip beside it unless its name is visible. */
export const hintAtSide = (isNamed: boolean) => (isNamed ? 'off' : 'right')
