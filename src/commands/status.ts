import { atom, getDefaultStore } from 'jotai'
import type { Toast } from './toast.ts'

/** What the status line says; a new object for each text, so that the same text is announced again. */
export const statusAtom = atom<Toast | null>(null)

/** Says a short sentence in the status line, until the next key or for a few seconds. It is no toast (S8). `action` is a button beside it. */
export function say(text: string, action?: Toast['action']): void {
  getDefaultStore().set(statusAtom, { text, ...(action && { action }) })
}
