import type { Answer } from '../api/client.ts'
import type { Ref } from '../state/ref.ts'

/** A record with its name, for labels in the activity panel and the undo command. */
export interface NamedRef extends Ref {
  readonly name: string
  /** The version of the record when the command was given, if it has one. When it has another one, a repeated action gets a new Idempotency-Key. */
  readonly version?: unknown
}

/** A change on the server as data, which can be shown, stored, retried, and undone after a reload. */
export interface Mutation {
  /** `noun.verb`: names the `Change` that carries it out. */
  readonly command: string
  readonly refs: readonly NamedRef[]
  /** JSON: what is sent for each record. */
  readonly args: Readonly<Record<string, unknown>>
  /** The Idempotency-Key of the draft; if absent, each record gets its own when the mutation is run. */
  readonly key?: string
  /** "Suspend Jo Kamau": for the activity panel and the undo command. */
  readonly label: string
}

/** How the mutations of one command are carried out. */
export interface Change {
  command: string
  /** "Suspend Jo Kamau" */
  label(ref: NamedRef): string
  /** "Suspending", for the progress of many records; if absent, the mutation's label stands there. */
  doing?: string
  /** What is reloaded afterwards: names of nouns, and `analytics`. */
  affects: readonly string[]
  /** The call. `key` is the same for every retry of one attempt (R8). */
  perform(ref: Ref, args: Mutation['args'], key: string): Promise<Answer>
  /** The success toast; no toast if absent. If the text is blank, the toast reads "Done: " and the label. */
  succeeded?(message: string): string
  /** The failure toast, for what the server gave as the reason, blank if nothing; no toast if absent (S8). */
  failed?: string | ((reason: string) => string)
  /** The command that undoes it, with the same arguments (R7). */
  inverse?: string
}

const changes = new Map<string, Change>()

/** Declares how a command changes records. Called once for each command, when its module is loaded. */
export function defineChange(change: Change): Change {
  changes.set(change.command, change)
  return change
}

/** The declared change of a mutation's command. Throws if there is none. */
export function changeOf({ command }: Mutation): Change {
  const change = changes.get(command)
  if (!change) throw new Error(`There is no change ${command}.`)
  return change
}

/** Whether the command is declared. A stored undo entry may name one of an earlier version of the console. */
export const isKnown = (command: string): boolean => changes.has(command)

/** Whether this is the command of a change that cannot be undone. */
export const isFinal = (command: string): boolean => {
  const change = changes.get(command)
  return change !== undefined && change.inverse === undefined
}
