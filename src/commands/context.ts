import { atom } from 'jotai'
import { locationAtom } from '../state/location.ts'
import type { Context } from './command.ts'

/** What the screen has under its focus: set by the list for its active row, by a detail for its record. */
export const targetsAtom = atom<Context['targets']>([])

/** Read when needed, so that every surface hands the same context to the same command. */
export const contextAtom = atom<Context>((get) => ({
  path: get(locationAtom).path,
  targets: get(targetsAtom),
}))
