import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { text } from '../format.ts'
import type { Ref } from '../state/ref.ts'

/** A record as commands find it: its name everywhere, and what the server last said of it. */
interface Target {
  readonly ref: Ref
  readonly row: Row<object>
}

/** What a command finds when it is offered or run. */
export interface Context {
  path: string
  /** The focused row, the selected rows, the found record or the record on screen. */
  targets: readonly Target[]
}

/**
 * One action. Row button, palette item, key and help read the same object; `title` fits its context
 * ("Suspend Jo Kamau"), `about` is the same without one.
 */
export interface Command {
  /** `noun.verb` */
  id: string
  about: string
  title(context: Context): string
  keywords?: string
  /** The name of the noun whose records it acts on; absent where it needs none. */
  noun?: string
  /** One chord (`mod+k`) or a sequence (`g d`). */
  keys?: string
  /** Not offered at all where this is false. */
  when?(context: Context): boolean
  /** True, or the reason why it cannot be done now. */
  enabled?(context: Context): true | string
  run(context: Context): void | Promise<void>
}

/** Whether a command can be run here, by whatever surface. */
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

/** The name of a record; without one, of the record that is about to be created. */
export function refOf({ name }: { name: string }, row: unknown): Ref {
  const id = isRow<{ id: unknown }>(row) ? text(row.id) : 'new'
  return { noun: name, id }
}

/** Rows as what commands act on. */
export const targetsOf = (noun: { name: string }, rows: readonly Row<object>[]): Target[] =>
  rows.map((row) => ({ ref: refOf(noun, row), row }))
