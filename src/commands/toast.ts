import type { Atom } from 'jotai'
import { atom, getDefaultStore } from 'jotai'

/** A short message at the bottom of the screen. `action` is a button in it. */
export interface Toast {
  text: string
  action?: {
    label: string
    /** The id of the command that does the same. */
    command: string
    run: () => void
    /** The action is shown only while this is true; if absent, always. */
    isOffered?: Atom<boolean>
  }
}

/** The toasts that are still to be shown, in their order. The shell subscribes, and takes them out. */
export const toastsAtom = atom<readonly Toast[]>([])

/** Shows a toast. All toasts are shown by this function. */
export function showToast(text: string, action?: Toast['action']): void {
  getDefaultStore().set(toastsAtom, (others) => [...others, { text, ...(action && { action }) }])
}
