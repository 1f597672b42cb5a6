import { atom, getDefaultStore } from 'jotai'

/** A short message at the bottom of the screen. `action` is a button in it. */
export interface Toast {
  text: string
  action?: { label: string; run: () => void }
}

/** The latest toast that was asked for. The shell listens and shows each. */
export const toastAtom = atom<Toast | null>(null)

/** The one way to a toast. */
export function showToast(text: string, action?: Toast['action']): void {
  getDefaultStore().set(toastAtom, { text, ...(action && { action }) })
}
