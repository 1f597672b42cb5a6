import { atom, getDefaultStore } from 'jotai'

/** What the status line says; a new object for each text, so that the same text is announced again. */
export const statusAtom = atom<{ readonly text: string } | null>(null)

/** Says a short sentence in the status line, until the next key or for a few seconds. It is no toast (S8). */
export function say(text: string): void {
  getDefaultStore().set(statusAtom, { text })
}
