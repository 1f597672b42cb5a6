import type { Answer } from '../api/client.ts'
import type { Ref } from '../state/ref.ts'

/** A record with what it is called, so that what was done to it can be told later. */
export interface NamedRef extends Ref {
  readonly name: string
}

/** A change on the server as data: it can be shown, kept, retried, and undone after a reload. */
export interface Mutation {
  /** `noun.verb`: names the `Change` that carries it out. */
  readonly command: string
  readonly refs: readonly NamedRef[]
  /** JSON: what is sent for each record. */
  readonly args: Readonly<Record<string, unknown>>
  /** The Idempotency-Key, where a draft keeps it; otherwise each record gets its own as it is run. */
  readonly key?: string
  /** "Suspend Jo Kamau": for the activity panel and the undo command. */
  readonly label: string
}

/** How the mutations of one command are carried out. */
export interface Change {
  command: string
  /** "Suspend Jo Kamau" */
  label(ref: NamedRef): string
  /** What may read otherwise afterwards: nouns, and `analytics`. */
  affects: readonly string[]
  /** The call. `key` is the same for every retry of one attempt (R8). */
  perform(ref: Ref, args: Mutation['args'], key: string): Promise<Answer>
  /** The success toast; absent is silent, blank where the server had nothing to say. */
  succeeded?(message: string): string
  /** The failure toast; absent is silent (S8). */
  failed?: string
  /** The command that takes it back, with the same arguments (R7). */
  inverse?: string
}

const changes = new Map<string, Change>()

/** Declares how a command changes records. Once for each command, as its module loads. */
export function defineChange(change: Change): Change {
  changes.set(change.command, change)
  return change
}

/** Throws where the mutation is of a command that is not declared. */
export function changeOf({ command }: Mutation): Change {
  const change = changes.get(command)
  if (!change) throw new Error(`No command ${command} changes anything.`)
  return change
}

/** Whether this console declares the command: what was kept may be older than the console. */
export const isKnown = (command: string): boolean => changes.has(command)
