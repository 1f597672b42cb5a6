import { atom, getDefaultStore } from 'jotai'
import { focusFirstOf } from './focus.ts'

/** The one dialog that is open, if any. A form edits its record, or creates one where that is null. */
export type Dialog =
  | { kind: 'palette'; actionsOnly?: boolean }
  | { kind: 'help' }
  | { kind: 'activity' }
  | { kind: 'form'; noun: string; record: unknown }

const openAtom = atom<Dialog | null>(null)
let opener: Element | null = null

/** Opens and closes dialogs. What had the focus before the first of them gets it back after the last. */
export const dialogAtom = atom(
  (get) => get(openAtom),
  (get, set, dialog: Dialog | null) => {
    const active = document.activeElement
    if (dialog && !get(openAtom) && !active?.closest('[role=dialog]')) opener = active
    set(openAtom, dialog)
  },
)

/**
 * For `onCloseAutoFocus`: back to the element that had the focus or, if that is gone, to the main region. Radix would
 * drop it on the body where a key opened the dialog.
 */
export function returnFocus(event: Event): void {
  event.preventDefault()
  // Another dialog has opened meanwhile: the focus is its own now, or its first letters would be lost.
  if (getDefaultStore().get(openAtom)) return
  focusFirstOf(opener, document.querySelector('main'))
}
