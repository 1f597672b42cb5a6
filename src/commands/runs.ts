import { atom, getDefaultStore } from 'jotai'
import { isRow } from '../api/loose.ts'
import type { Command } from './command.ts'
import { isRunnable } from './command.ts'
import { keysOf, written } from './keymap.ts'
import { isFinal } from './mutation.ts'
import { say } from './status.ts'
import { whyNot } from './why.ts'

const store = getDefaultStore()

/** The last command that was run on records; `row.repeat` runs it again. */
export const lastRunAtom = atom<Command | null>(null)

/** Notes that a person has run a command, and how. Called by all that run commands: palette, keys, buttons. */
export function noteRun(command: Command, how: 'palette' | 'key' | 'mouse'): void {
  if (command.noun !== undefined) store.set(lastRunAtom, command)
  if (how === 'palette') countRun(command)
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

/** After this many runs of a command through the palette its key is said, once. */
const enough = 3
const key = 'oms.runs'

function countRun(command: Command): void {
  const keys = keysOf(command)
  if (keys === undefined) return
  const counts = read()
  const count = (counts[command.id] ?? 0) + 1
  if (count > enough) return
  try {
    localStorage.setItem(key, JSON.stringify({ ...counts, [command.id]: count }))
  } catch {
    return // Without storage the count would begin again with every page: say nothing.
  }
  if (count === enough) say(`${command.about}: press ${written(keys)}`)
}

/** How often each command was run through the palette in this browser, up to `enough`. */
function read(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const entries: [string, unknown][] = isRow<object>(stored) ? Object.entries(stored) : []
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  } catch {
    return {} // Corrupt or blocked storage.
  }
}
