import { getDefaultStore } from 'jotai'
import { isRow } from '../api/loose.ts'
import { settingsAtom } from '../state/settings.ts'
import type { Command } from './command.ts'
import type { Changes } from './keymap.ts'
import { assigned, written } from './keymap.ts'
import { allNouns } from './noun.ts'

const store = getDefaultStore()

/** A sentence that says why a command cannot have these keys; null if it can. */
export function conflictOf(
  keys: string,
  command: Command,
  commands: readonly Command[],
  changes: Changes = store.get(settingsAtom).keys,
): string | null {
  for (const chord of keys.split(' ')) {
    if (chord === command.keys) continue
    if (ofBrowser(chord)) return `${written(chord)} belongs to the browser.`
    if (ofText.has(chord)) return `${written(chord)} belongs to text fields.`
    if (ofFocus.has(chord)) return `${written(chord)} moves the focus or closes what is open.`
  }
  const nouns = new Set(allNouns().map(({ name }) => name))
  for (const other of commands) {
    if (other.id === command.id || !areOfferedTogether(command, other, nouns)) continue
    for (const theirs of assigned(other, changes)) {
      const name = `“${other.about}”`
      if (theirs === keys) return `${written(keys)} already runs ${name}.`
      if (theirs.startsWith(`${keys} `))
        return `${written(keys)} cannot be used: ${written(theirs)}, the keys of ${name}, begin with it.`
      if (keys.startsWith(`${theirs} `))
        return `${written(keys)} cannot be used: it begins with ${written(theirs)}, which runs ${name}.`
    }
  }
  return null
}

/** Commands of different nouns are never offered together; what belongs to no noun can be offered with any other. */
function areOfferedTogether(one: Command, other: Command, nouns: ReadonlySet<string>): boolean {
  const [first = '', second = ''] = [one, other].map(({ id }) => id.split('.')[0])
  return first === second || !nouns.has(first) || !nouns.has(second)
}

const ofText = new Set(['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+y', 'mod+z', 'mod+enter'])

const moves = ['up', 'down', 'left', 'right'].map((way) => `arrow${way}`)
const ofFocus = new Set(
  [...moves, 'tab', 'escape', 'space', 'home', 'end', 'pageup', 'pagedown', 'backspace', 'delete'].flatMap(
    (key) => [key, `shift+${key}`],
  ),
)

/** Keys that browsers keep for themselves, or whose own use people rely on (find, print, reload, zoom). */
function ofBrowser(chord: string): boolean {
  if (/^(shift\+)?f\d+$/.test(chord)) return true
  const key = /^mod\+(.+)$/.exec(chord)?.[1]
  if (key === undefined || ofText.has(chord)) return false
  return key.length > 1 || /[dfhjlnopqrstuw0-9+\-=[\],]/.test(key)
}

/** Gives a command other keys in this browser. Returns the conflict if they are refused, else null. */
export function changeKeys(command: Command, keys: string, commands: readonly Command[]): string | null {
  const conflict = conflictOf(keys, command, commands)
  if (conflict === null) write({ ...store.get(settingsAtom).keys, [command.id]: keys }, commands)
  return conflict
}

/** Gives a command its own keys again. Returns the conflict if another command has them by now, else null. */
export function resetKeys(command: Command, commands: readonly Command[]): string | null {
  const others = Object.fromEntries(
    Object.entries(store.get(settingsAtom).keys).filter(([id]) => id !== command.id),
  )
  const conflict = command.keys === undefined ? null : conflictOf(command.keys, command, commands, others)
  if (conflict === null) write(others, commands)
  return conflict
}

/** Gives every command its own keys again. */
export const resetAllKeys = (): void => store.set(settingsAtom, { keys: {} })

/** Stores only what differs from the commands' own keys. */
function write(changes: Changes, commands: readonly Command[]): void {
  const own = new Map(commands.map(({ id, keys }) => [id, keys]))
  const keys = Object.fromEntries(Object.entries(changes).filter(([id, changed]) => own.get(id) !== changed))
  store.set(settingsAtom, { keys })
}

/** The changed keys as a JSON file. */
export const exportedKeys = (): string =>
  `${JSON.stringify({ keys: store.get(settingsAtom).keys }, null, 2)}\n`

/** Replaces the changed keys by those of a JSON file. If any is refused, nothing changes. Returns the reasons. */
export function importKeys(json: string, commands: readonly Command[]): string[] {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    return ['The file is not valid JSON.']
  }
  const keys = isRow<{ keys: unknown }>(given) ? given.keys : undefined
  if (!isRow<object>(keys) || Array.isArray(keys))
    return ['The file must hold an object “keys” with command ids and their keys.']
  const entries: [string, unknown][] = Object.entries(keys)
  const changes = Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const faults = entries.flatMap(([id, value]) => {
    const command = commands.find((one) => one.id === id)
    if (!command) return [`There is no command “${id}”.`]
    if (typeof value !== 'string' || !isSpelled(value))
      return [
        `“${command.about}”: ${JSON.stringify(value)} is no key. Keys are written like “k”, “g d” or “mod+k”.`,
      ]
    const conflict = conflictOf(value, command, commands, changes)
    return conflict === null ? [] : [`“${command.about}”: ${conflict}`]
  })
  if (faults.length === 0) write(changes, commands)
  return faults
}

/** The most keys of one sequence. */
export const longest = 3

/** Whether this is how `keyOf` spells one key, or several with spaces between them. */
export const isSpelled = (keys: string): boolean => {
  const chords = keys.split(' ')
  return chords.length <= longest && chords.every(isChord)
}

const isChord = (chord: string) =>
  /^(mod\+)?((shift\+)?\p{Ll}|[^\s\p{L}])$/u.test(chord) ||
  named.has(chord.replace(/^(mod\+)?(shift\+)?/, ''))

const named = new Set([
  ...['enter', 'insert', ...ofFocus].filter((key) => !key.includes('+')),
  ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
])
