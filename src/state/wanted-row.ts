import { atom, getDefaultStore } from 'jotai'
import { dialogAtom } from './dialog.ts'

/** The first row, whichever it is. */
export const firstRow = 'first'

const wantedAtom = atom<string | null>(null)

/** The row that gets the focus as soon as it is on screen and no dialog is open: its `refKey`, or `firstRow`. */
export const wantedRowAtom = atom((get) => (get(dialogAtom) ? null : get(wantedAtom)))

/** Gives the focus to a row that is still to be loaded, unless a key or the mouse is pressed on the screen before. */
export function wantRow(row: string): void {
  const store = getDefaultStore()
  store.set(wantedAtom, row)
  const cancel = () => {
    if (!store.get(dialogAtom)) forgetWantedRow()
  }
  forgetCancel()
  const events = ['keydown', 'pointerdown']
  // Of the window: they are called before those of a dialog that the same press closes.
  for (const name of events) window.addEventListener(name, cancel, true)
  forgetCancel = () => {
    for (const name of events) window.removeEventListener(name, cancel, true)
  }
}

/** Gives it the focus unless another row is wanted already, such as that of a new record. */
export function wantRowIfNone(row: string): void {
  if (getDefaultStore().get(wantedAtom) === null) wantRow(row)
}

let forgetCancel = () => {}

export function forgetWantedRow(): void {
  getDefaultStore().set(wantedAtom, null)
  forgetCancel()
}
