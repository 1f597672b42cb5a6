import { atom, getDefaultStore } from 'jotai'
import { HTTPError } from 'ky'
import type { Answer } from '../api/client.ts'
import { text } from '../format.ts'
import { activityAtom } from '../state/activity.ts'
import { newId } from '../state/id.ts'
import type { Ref } from '../state/ref.ts'
import { refKey } from '../state/ref.ts'
import { sessionAtom } from '../state/session.ts'
import { patch, reload } from './cache.ts'
import type { Mutation, NamedRef } from './mutation.ts'
import { changeOf } from './mutation.ts'
import { showToast } from './toast.ts'
import { keepUndo, takeUndo } from './undo.ts'

const store = getDefaultStore()

/** Records with a request under way, by their `refKey`. */
export const busyAtom = atom<ReadonlySet<string>>(new Set<string>())
/** Records whose last action failed, until the next success or reload (R3). */
export const faultsAtom = atom<ReadonlySet<string>>(new Set<string>())

/** By record, the attempt whose outcome is not known: the reply was lost, so the retry must ask with the same key. */
const openAttempts = new Map<string, { command: string; key: string; since: number }>()
const attemptLifetime = 5 * 60_000

/** What only the caller knows while its mutation runs. */
interface Caller {
  /** Work that comes before the call, such as uploading pictures; resolves to the arguments to send. */
  prepare?(): Promise<Mutation['args']>
  /** Told which fields the server refused, and why. */
  refused?(errors: Record<string, string[]>): void
}

/**
 * Runs a mutation, one record after the other: busy state, idempotency key, activity, cache, one reload, one undo entry, one toast
 * for all that succeeded. Records that are busy are left out. Resolves to whether all succeeded; never rejects.
 */
export async function runMutation(mutation: Mutation, caller: Caller = {}): Promise<boolean> {
  const done = await runRefs(mutation, caller, true)
  return done.length === mutation.refs.length
}

/** Takes back the entry with this id, once; what could not be taken back can be undone still. */
export async function undo(id: string): Promise<void> {
  const entry = takeUndo(id)
  if (!entry) return
  const { mutation } = entry
  const done = await runRefs(mutation, {}, false)
  const refs = mutation.refs.filter((ref) => !done.includes(ref))
  if (refs.length > 0) keepUndo({ ...entry, mutation: { ...mutation, refs } })
}

/** Resolves to the records for which it succeeded. */
async function runRefs(mutation: Mutation, caller: Caller, isUndoable: boolean): Promise<NamedRef[]> {
  const change = changeOf(mutation)
  const session = store.get(sessionAtom)
  const outcomes: { ref: NamedRef; outcome: Outcome }[] = []
  for (const ref of mutation.refs) {
    // Nothing goes on under the name of the next person at this console.
    if (store.get(sessionAtom) !== session) break
    const label = mutation.refs.length === 1 ? mutation.label : change.label(ref)
    const perform = async () => {
      const args = caller.prepare ? await caller.prepare() : mutation.args
      const answer = await change.perform(ref, args, mutation.key ?? keyFor(mutation.command, ref))
      patch(ref, answer.record)
      return answer
    }
    const outcome = await attempt(refKey(ref), { ...change, ...caller, label, perform })
    if (outcome) outcomes.push({ ref, outcome })
  }
  // R5: what the server holds now, after failures too; once, however many records it was.
  if (outcomes.length > 0) reload(change.affects)
  const done = outcomes.flatMap(({ ref, outcome }) => (outcome.isDone ? [ref] : []))
  const entry =
    isUndoable && change.inverse !== undefined && done.length > 0
      ? keepUndo({
          id: newId(),
          label: mutation.label,
          mutation: { ...mutation, command: change.inverse, refs: done.toReversed() },
        })
      : null
  const toasts = (isDone: boolean) => [
    ...new Set(
      outcomes.flatMap(({ outcome }) =>
        outcome.isDone === isDone && outcome.toast !== undefined ? outcome.toast : [],
      ),
    ),
  ]
  const successes = toasts(true)
  if (successes.length > 0)
    showToast(firstThree(successes), entry ? { label: 'Undo', run: () => void undo(entry.id) } : undefined)
  for (const failure of toasts(false)) showToast(failure)
  return done
}

/** Work that changes no record: an export, an upload. */
interface Task {
  /** For the activity panel. */
  label: string
  /** Resolves to what to note of it. */
  perform(): Promise<string>
  /** The failure toast; absent is silent. */
  failed?: string
}

/** Runs a task: busy state under `name`, activity, toast. Ignored while it runs already. Resolves to whether it succeeded. */
export async function runTask(name: string, task: Task): Promise<boolean> {
  const perform = async () => ({ message: await task.perform(), record: null })
  const outcome = await attempt(name, { ...task, perform })
  if (outcome?.toast !== undefined) showToast(outcome.toast)
  return outcome?.isDone ?? false
}

interface Work {
  label: string
  perform(): Promise<Answer>
  succeeded?: (message: string) => string
  failed?: string
  refused?: Caller['refused']
}

interface Outcome {
  isDone: boolean
  toast?: string | undefined
}

/** Null where `name` is busy already, or another person has signed in by the time the answer comes. */
async function attempt(name: string, work: Work): Promise<Outcome | null> {
  const { label, succeeded, failed, refused } = work
  if (store.get(busyAtom).has(name)) return null
  const email = store.get(sessionAtom)?.email
  toggle(busyAtom, name, true)
  try {
    const { message } = await work.perform()
    if (isOthers(email)) return null
    openAttempts.delete(name)
    toggle(faultsAtom, name, false)
    store.set(activityAtom, { what: label, outcome: 'done', detail: message })
    return { isDone: true, toast: succeeded && (succeeded(message) || `Done: ${label}`) }
  } catch (error) {
    if (isOthers(email)) return null
    // A cancelled request is no failure.
    if (error instanceof DOMException && error.name === 'AbortError') return { isDone: false }
    // A 4xx answer ends the attempt; after a lost reply or a 5xx the retry keeps its Idempotency-Key.
    if (error instanceof HTTPError && error.response.status < 500) openAttempts.delete(name)
    toggle(faultsAtom, name, true)
    store.set(activityAtom, { what: label, outcome: 'failed', detail: reasonOf(error) })
    refused?.(fieldErrorsOf(error))
    return { isDone: false, toast: failed }
  } finally {
    toggle(busyAtom, name, false)
  }
}

/** Whether another person has signed in since: what comes back now is not shown to them. */
function isOthers(email: string | undefined): boolean {
  const session = store.get(sessionAtom)
  return session !== null && session.email !== email
}

/** The first three texts, a line each, then "and N more". */
function firstThree(texts: readonly string[]): string {
  const more = texts.length - 3
  return (more > 0 ? [...texts.slice(0, 3), `and ${more} more`] : texts).join('\n')
}

/** For the next person at this console. */
export function forgetRuns(): void {
  openAttempts.clear()
  store.set(busyAtom, new Set())
  store.set(faultsAtom, new Set())
}

function keyFor(command: string, ref: Ref): string {
  const open = openAttempts.get(refKey(ref))
  // After another action on the record the same one is a new intent: its old key would replay the old answer.
  if (open?.command === command && Date.now() - open.since < attemptLifetime) return open.key
  const key = newId()
  openAttempts.set(refKey(ref), { command, key, since: Date.now() })
  return key
}

function toggle(sets: typeof busyAtom, name: string, on: boolean): void {
  const next = new Set(store.get(sets))
  if (on) next.add(name)
  else next.delete(name)
  store.set(sets, next)
}

function reasonOf(error: unknown): string {
  if (error instanceof HTTPError)
    return `${error.response.status} ${text(bodyOf(error).get('message'))}`.trim()
  return error instanceof Error ? error.message : String(error)
}

function fieldErrorsOf(error: unknown): Record<string, string[]> {
  const errors: unknown = error instanceof HTTPError ? bodyOf(error).get('errors') : null
  return Object.fromEntries(
    [...entriesOf(errors)].map(([field, texts]) => [field, Array.isArray(texts) ? texts.map(text) : []]),
  )
}

/** ky has read the body already. */
const bodyOf = (error: HTTPError) => entriesOf(error.data)

const entriesOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
