import { atom, getDefaultStore } from 'jotai'
import { settingsAtom } from '../state/settings.ts'
import type { Command } from './command.ts'
import { isMac, isSingle, spell } from './keys.ts'

/** What is needed of a command to know its keys. */
type Keyed = Pick<Command, 'id' | 'keys' | 'alsoKeys'>

/** The changed keys of this browser, by command id. */
export type Changes = Readonly<Record<string, string>>

const store = getDefaultStore()

/** Answers the keys to show for a command: its changed or its own keys; undefined if it has none that work now. */
export const keysOfAtom = atom((get) => {
  const { keys, singleKeys } = get(settingsAtom)
  return (command: Keyed): string | undefined =>
    assigned(command, keys).find((one) => singleKeys || !isSingle(one))
})

/** The same for code that renders nothing. */
export const keysOf = (command: Keyed): string | undefined => store.get(keysOfAtom)(command)

/** One way to press a command. */
export interface Binding {
  keys: string
  command: Command
}

const bindingsAtom = atom((get) => {
  const { keys: changes } = get(settingsAtom)
  const known = new WeakMap<readonly Command[], readonly Binding[]>()
  return (commands: readonly Command[]): readonly Binding[] => {
    const bindings =
      known.get(commands) ??
      commands.flatMap((command) => assigned(command, changes).map((keys) => ({ keys, command })))
    known.set(commands, bindings)
    return bindings
  }
})

/** Every way to press each of these commands. Each key asks for them, so those of a list of commands are kept. */
export const bindingsOf = (commands: readonly Command[]): readonly Binding[] =>
  store.get(bindingsAtom)(commands)

/** All keys of a command: the changed or its own ones, and its second ones. */
export function assigned(command: Keyed, changes: Changes): string[] {
  const { keys, alsoKeys } = command
  return [changes[command.id] ?? keys, alsoKeys].filter((one) => one !== undefined)
}

/** Keys in a sentence: "G then D". */
export const written = (keys: string): string => spell(keys, isMac).join(' then ')
