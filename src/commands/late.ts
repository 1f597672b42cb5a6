import { atom } from 'jotai'
import type { Command } from './command.ts'

/** The commands of code that is loaded after the first screen. */
export const lateCommandsAtom = atom<readonly Command[]>([])
