import { atom, getDefaultStore } from 'jotai'
import type { Command } from './command.ts'
import { isRunnable } from './command.ts'
import { keysOf, written } from './keymap.ts'
import { isFinal } from './mutation.ts'
import { whyNot } from './why.ts'

const store = getDefaultStore()

/** The last command that was run on records; `row.repeat` runs it again. */
export const lastRunAtom = atom<Command | null>(null)

/** Notes that a person has run a command. */
export function noteRun(command: Command): void {
  if (command.noun !== undefined) store.set(lastRunAtom, command)
}

/** Runs the last command on the focused row or the selection. */
export const repeatLast: Command = {
  id: 'row.repeat',
  about: 'Repeat the last action',
  title: (context) => {
    const last = store.get(lastRunAtom)
    return last ? `Repeat: ${last.title(context)}` : 'Repeat the last action'
  },
  keywords: 'again same',
  keys: ',',
  when: (context) => {
    const last = store.get(lastRunAtom)
    return last !== null && !isFinal(last.id) && isRunnable(last, context)
  },
  why: (context) => {
    const last = store.get(lastRunAtom)
    if (!last) return 'nothing was done that can be repeated'
    if (!isFinal(last.id)) return lowerFirst(whyNot(last, context))
    const keys = keysOf(last)
    return `${lowerFirst(last.about)} cannot be undone${keys === undefined ? '' : `, so press ${written(keys)} for each`}`
  },
  run: async (context) => {
    await store.get(lastRunAtom)?.run(context)
  },
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)
