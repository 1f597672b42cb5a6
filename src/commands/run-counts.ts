import { isRow } from '../api/loose.ts'
import type { Command } from './command.ts'
import { keysOf, written } from './keymap.ts'
import { say } from './status.ts'

/** After this many runs of a command through the palette its key is said, once. */
const enough = 3
const key = 'oms.runs'

/** Counts a run of a command through the palette. */
export function countRun(command: Command): void {
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
