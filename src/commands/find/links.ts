import { getDefaultStore } from 'jotai'
import { hrefOf, withParameters } from '../../state/list.ts'
import { locationAtom } from '../../state/location.ts'
import type { Command, Context } from '../command.ts'
import { nounOf } from '../noun.ts'

const store = getDefaultStore()

/** The address that opens the palette with a command filled in: `?cmd=driver.suspend&id=12`. It runs nothing by itself. */
export function linkTo(command: Command, { path, targets: [target] }: Context): string {
  const id = command.noun !== undefined && target ? `&id=${encodeURIComponent(target.ref.id)}` : ''
  return `${path || '/'}?cmd=${encodeURIComponent(command.id)}${id}`
}

/**
 * Removes a command link from the address, and returns what the palette is to be filled with; null if there is none. If its
 * command is not among these, a link stays in the address until these are all commands (`areAll`).
 */
export function takeLink(commands: readonly Command[], areAll: boolean): string | null {
  const { path, search } = store.get(locationAtom)
  const parameters = new URLSearchParams(search)
  const asked = parameters.get('cmd')
  const id = parameters.get('id')
  const command = commands.find((one) => one.id === asked)
  if (asked === null || !(command ?? areAll)) return null
  store.set(locationAtom, { to: hrefOf(path, withParameters(search, { cmd: '', id: '' })), replace: true })
  return command ? sentenceOf(command, id) : null
}

/** "suspend driver #12" */
function sentenceOf(command: Command, id: string | null): string {
  if (command.noun === undefined) return command.about
  return `${command.verbs?.[0] ?? command.about} ${nounOf(command.noun).singular} ${id ? `#${id}` : ''}`
}
