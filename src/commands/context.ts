import { atom } from 'jotai'
import { pathAtom } from '../state/location.ts'
import type { Context } from './command.ts'

/** The records that commands act on: a list sets its selected rows or its focused row, a detail its record. */
export const targetsAtom = atom<Context['targets']>([])

/** Read at the time of use, so that button, palette and key give a command the same context. */
export const contextAtom = atom<Context>((get) => ({
  path: get(pathAtom),
  targets: get(targetsAtom),
}))
