import type { Command, Context } from './command.ts'
import { isOffered } from './command.ts'
import { allNouns } from './noun.ts'

/** Why a command cannot be run in this context: "Suspend the driver: no driver is focused". */
export function whyNot(command: Command, context: Context): string {
  const enabled = isOffered(command, context) ? (command.enabled?.(context) ?? true) : true
  const reason = enabled === true ? (command.why?.(context) ?? general(command, context)) : enabled
  return `${command.about}: ${reason}`
}

/**
 * The same for a key, which can belong to commands of several nouns: the one of the records on screen counts, else all
 * are named.
 */
export function whyNone(commands: readonly Command[], context: Context): string {
  const noun = nounOfScreen(context)
  const [one] = commands.filter(({ id }) => commands.length === 1 || id.split('.')[0] === noun)
  if (one) return whyNot(one, context)
  const abouts = [...new Set(commands.map(({ about }) => about))]
  return `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(abouts)}: not on this screen`
}

function general(command: Command, context: Context): string {
  const noun = allNouns().find(({ name }) => name === command.noun)
  if (!noun) return 'not on this screen'
  const rows = context.targets.filter(({ ref }) => ref.noun === noun.name).map(({ row }) => row)
  const [row, ...others] = rows
  if (!row) return `no ${noun.singular} is focused`
  return `not possible for ${others.length > 0 ? `these ${rows.length} ${noun.plural}` : noun.nameOf(row)}`
}

function nounOfScreen({ path, targets }: Context): string | undefined {
  return targets[0]?.ref.noun ?? allNouns().find((noun) => noun.path === path)?.name
}
