import { atom, getDefaultStore } from 'jotai'

/** A short message at the bottom of the screen. `action` is a button in it. */
export interface Toast {
  text: string
  action?: {
    label: string
    /** The id of the command that does the same. */
    command: string
    run: () => void
    /** The action is shown only while the undo list has the entry of this id. */
    undo?: string
  }
}

/** The latest toast. The shell subscribes and shows each one. */
export const toastAtom = atom<Toast | null>(null)

/** Shows a toast. All toasts are shown by this function. */
export function showToast(text: string, action?: Toast['action']): void {
  getDefaultStore().set(toastAtom, { text, ...(action && { action }) })
}
