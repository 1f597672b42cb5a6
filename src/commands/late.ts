import { atom } from 'jotai'
import type { Command } from './command.ts'

const partsAtom = atom<Readonly<Record<string, readonly Command[]>>>({})

/** The commands of code that is loaded after the first screen. Each part of it sets its own, under its name. */
export const lateCommandsAtom = atom(
  (get) => Object.values(get(partsAtom)).flat(),
  (get, set, part: string, commands: readonly Command[]) =>
    set(partsAtom, { ...get(partsAtom), [part]: commands }),
)
