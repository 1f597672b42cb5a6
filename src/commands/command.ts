import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { count, text } from '../format.ts'
import type { Question } from '../state/dialog.ts'
import type { Ref } from '../state/ref.ts'
import type { NamedRef } from './mutation.ts'

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
  /** The words that name the action, each alone, Swahili ones too: "suspend", "block", "simamisha". */
  verbs?: readonly string[]
  /** Other names for the command; each finds it as its title does. */
  synonyms?: readonly string[]
  /** It changes how a list is shown, such as its order or its columns: listed after everything else. */
  isViewOption?: true
  /** The path of the list that it is about. On other screens the palette has it only if the query names that list. */
  list?: string
  /** The address that it opens, for a new tab and for links. */
  href?: string
  /** It ends the session, deletes or clears: the palette puts it first only if its own word was typed from its start. */
  isRisky?: true
  /** Why it is not offered for a record of its noun: "suspended already". */
  unfit?: string
  /** Another kind of record that it can be given: a promo code is created for a customer. */
  takes?: { noun: string; title(name: string): string; run(row: Row<object>): void }
  /** The name of the noun whose records it acts on; absent if it acts on no record. */
  noun?: string
  /** One chord (`mod+k`) or a sequence (`g d`). */
  keys?: string
  /** Further keys, which a person cannot change. */
  alsoKeys?: string
  /** While its key is held, it runs again and again, as an arrow key does. */
  repeats?: true
  /** Whether the command is offered in this context; always if absent. */
  when?(context: Context): boolean
  /** Where its key works, if that is not wherever the command is offered. */
  keysWhen?(context: Context): boolean
  /** True, or the reason why it cannot be done now. */
  enabled?(context: Context): true | string
  /** Why it applies to some of the records only: "2 are suspended already". Blank if it applies to all. */
  note?(context: Context): string
  /** The question that is asked first if it cannot be undone, but not by the button of one record (`runCommand`). */
  asks?(context: Context): Question
  /** Where it is not offered, the reason why its key does nothing here; if absent, a general one is said. */
  why?(context: Context): string
  /** Does it, without a question. Keys, buttons and palette call `runCommand`. */
  run(context: Context): void | Promise<void>
}

/** Whether a command is offered in this context. It can still be disabled. */
export function isOffered(command: Command, context: Context): boolean {
  return command.when?.(context) ?? true
}

export function isRunnable(command: Command, context: Context): boolean {
  return isOffered(command, context) && (command.enabled?.(context) ?? true) === true
}

/** Whether the key of a command runs it in this context. */
export function isKeyed(command: Command, context: Context): boolean {
  return (command.keysWhen?.(context) ?? true) && isRunnable(command, context)
}

/** The rows of one noun among the targets. */
export function rowsOf<T extends object>(noun: string, { targets }: Context): Row<T>[] {
  return targets.flatMap(({ ref, row }) => (ref.noun === noun && isRow<T>(row) ? [row] : []))
}

/** How many of all records a command applies to: "7" of 7, or "5 of 7". */
export const some = (fitting: number, all: number) =>
  fitting < all ? `${count(fitting)} of ${count(all)}` : count(fitting)

/** "2 are suspended already"; blank for none. */
export const areAlready = (number: number, what: string) =>
  number === 0 ? '' : `${count(number)} ${number === 1 ? 'is' : 'are'} ${what}`

/** The ref of a record; its id is `new` if `row` is not a record. */
export function refOf({ name }: { name: string }, row: unknown): Ref {
  const id = isRow<{ id: unknown }>(row) ? text(row.id) : 'new'
  return { noun: name, id }
}

/** A row as the target of a mutation. */
export const namedRefOf = (noun: { name: string }, row: unknown, name: string): NamedRef => ({
  ...refOf(noun, row),
  name,
  version: isRow<{ version: unknown }>(row) ? row.version : undefined,
})

/** Rows as targets of commands. */
export const targetsOf = (noun: { name: string }, rows: readonly Row<object>[]): Target[] =>
  rows.map((row) => ({ ref: refOf(noun, row), row }))
