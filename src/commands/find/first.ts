import { getDefaultStore } from 'jotai'
import { navigate } from '../../state/location.ts'
import { askedForAtom } from '../../state/session.ts'
import type { Command, Context } from '../command.ts'
import { isOffered } from '../command.ts'
import type { Used } from './memory.ts'
import { recents } from './memory.ts'
import type { PaletteRow } from './row.ts'
import { commandRow, isScreen } from './row.ts'

/** Most rows before anything is typed; some places stay free, as the record on screen may still be loading. */
const most = 16
/** How many rows of them were run before. */
const mostRecent = 4

/** Without a query: what can be done here, what was run before, the screens, then the rest, how a list is shown last. */
export function rowsAtFirst(commands: readonly Command[], context: Context): PaletteRow[] {
  const offered = commands.filter(
    (command) => (command.list === undefined || command.list === context.path) && isOffered(command, context),
  )
  const isOnTargets = ({ noun }: Command) => noun !== undefined && context.targets.length > 0
  const used = recents()
    .filter(({ id }) => !offered.some((command) => command.id === id && isOnTargets(command)))
    .flatMap((one) => usedRow(one, offered, context))
    .slice(0, mostRecent)
  const others = offered.filter(({ id }) => !used.some((row) => row.id === id))
  const rowsWhere = (isWanted: (command: Command) => boolean) =>
    others
      .filter(isWanted)
      .slice(0, most)
      .map((command) => commandRow(command, context))
  const isUndo = ({ id }: Command) => id === 'undo.last'
  const isOther = (command: Command) => !isOnTargets(command) && !isUndo(command) && !isScreen(command)
  const rows = [
    ...rowsWhere(isOnTargets),
    ...rowsWhere(isUndo),
    ...used,
    ...rowsWhere(isScreen),
    ...rowsWhere((command) => isOther(command) && !command.isViewOption),
    ...rowsWhere((command) => isOther(command) && command.isViewOption === true),
  ].slice(0, most)
  const asked = getDefaultStore().get(askedForAtom)
  return asked ? [askedForRow(asked), ...rows] : rows
}

function usedRow(
  { id, title, detail, noun, href }: Used,
  offered: readonly Command[],
  context: Context,
): PaletteRow[] {
  const command = offered.find((one) => one.id === id)
  if (command) return [commandRow(command, context)]
  return href ? [{ id, title, detail, noun, href, section: 'record', score: 0 }] : []
}

function askedForRow(href: string): PaletteRow {
  const command: Command = {
    id: 'session.continue',
    about: 'Continue to the address that was asked for',
    title: () => `Continue to ${href}`,
    run: () => {
      getDefaultStore().set(askedForAtom, null)
      navigate(href)
    },
  }
  return {
    id: command.id,
    section: 'command',
    title: `Continue to ${href}`,
    command: { command, context: { path: '', targets: [] } },
    score: 0,
  }
}
