import { atom } from 'jotai'
import type { DropdownMenu, Tooltip } from 'radix-ui'

export interface Overlays {
  DropdownMenu: typeof DropdownMenu
  Tooltip: typeof Tooltip
}

/**
 * Radix's menus and tooltips; null until their code has come. It is in one file with the dialogs: an import that has failed
 * can be repeated under another address, but not the imports of the imported file.
 */
export const overlaysAtom = atom<Overlays | null>(null)

/** How many times a button was pressed that needs them before they have come. */
export const earlyPressesAtom = atom(0)
