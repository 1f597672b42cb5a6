import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { text } from '../format.ts'
import type { Ref } from '../state/ref.ts'

/** A record that commands act on: its ref and its fields as last received. */
interface Target {
  readonly ref: Ref
  readonly row: Row<object>
}

/** What a command is given when it is offered and when it is run. */
export interface Context {
  path: string
  /** The focused row, the selected rows, the record found in the palette or the record on screen. */
  targets: readonly Target[]
}

/**
 * One action. Row button, palette item, key and help use the same object. `title` names the records ("Suspend Jo
 * Kamau"), `about` names none ("Suspend the driver").
 */
export interface Command {
  /** `noun.verb` */
  id: string
  about: string
  title(context: Context): string
  keywords?: string
  /** The name of the noun whose records it acts on; absent if it acts on no record. */
  noun?: string
  /** One chord (`mod+k`) or a sequence (`g d`). */
  keys?: string
  /** Further keys, which a person cannot change. */
  alsoKeys?: string
  /** Whether the command is offered in this context; always if absent. */
  when?(context: Context): boolean
  /** True, or the reason why it cannot be done now. */
  enabled?(context: Context): true | string
  /** Where it is not offered, the reason why its key does nothing here; if absent, a general one is said. */
  why?(context: Context): string
  run(context: Context): void | Promise<void>
}

/** Whether a command is offered in this context. It can still be disabled. */
export function isOffered(command: Command, context: Context): boolean {
  return command.when?.(context) ?? true
}

export function isRunnable(command: Command, context: Context): boolean {
  return isOffered(command, context) && (command.enabled?.(context) ?? true) === true
}

/** The rows of one noun among the targets. */
export function rowsOf<T extends object>(noun: string, { targets }: Context): Row<T>[] {
  return targets.flatMap(({ ref, row }) => (ref.noun === noun && isRow<T>(row) ? [row] : []))
}

/** The ref of a record; its id is `new` if `row` is not a record. */
export function refOf({ name }: { name: string }, row: unknown): Ref {
  const id = isRow<{ id: unknown }>(row) ? text(row.id) : 'new'
  return { noun: name, id }
}

/** Rows as targets of commands. */
export const targetsOf = (noun: { name: string }, rows: readonly Row<object>[]): Target[] =>
  rows.map((row) => ({ ref: refOf(noun, row), row }))
