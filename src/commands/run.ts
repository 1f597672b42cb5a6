import { atom, getDefaultStore } from 'jotai'
import { HTTPError } from 'ky'
import type { Answer } from '../api/client.ts'
import { mayBeStored, statusOf } from '../api/client.ts'
import { text } from '../format.ts'
import { activityAtom } from '../state/activity.ts'
import { newId } from '../state/id.ts'
import type { Ref } from '../state/ref.ts'
import { refKey } from '../state/ref.ts'
import { sessionAtom } from '../state/session.ts'
import { inBatch } from './batch.ts'
import { patch, reload } from './cache.ts'
import type { Change, Mutation, NamedRef } from './mutation.ts'
import { changeOf } from './mutation.ts'
import { deselect } from './selection.ts'
import { say } from './status.ts'
import { showToast } from './toast.ts'
import type { UndoEntry } from './undo.ts'
import { beginAction, canUndo, takeUndo } from './undo.ts'

const store = getDefaultStore()

/** Records with a running request, by their `refKey`. */
export const busyAtom = atom<ReadonlySet<string>>(new Set<string>())
/** Records whose last action failed, until the next success or reload (R3). */
export const faultsAtom = atom<ReadonlySet<string>>(new Set<string>())

/** By record, the attempt that is running or got no final answer: its retry must send the same key. `asked` is what it asked for. */
const openAttempts = new Map<string, { asked: string; key: string; since: number }>()
const attemptLifetime = 5 * 60_000

/** What runs under way have still to do, by command and record: another run of the same command leaves it out. */
const claims = new Set<string>()

/** Callbacks of the caller, such as a form. */
interface Caller {
  /** Runs before the call, for example to upload pictures; resolves to the arguments to send. */
  prepare?(): Promise<Mutation['args']>
  /** Called after a failure with its error, and whether the server may have stored the change. */
  refused?(error: unknown, mayBeStored: boolean): void
  /** Called with the record as it is stored now, if the server answers with one. */
  stored?(record: object): void
}

/**
 * Runs a mutation, one record after the other, with busy state, idempotency key, activity and cache. Then follow one
 * reload, one undo entry and one toast for all that succeeded. Records that are busy, or that the same command is
 * about to change, are skipped. Resolves to whether all succeeded; never rejects.
 */
export async function runMutation(mutation: Mutation, caller: Caller = {}): Promise<boolean> {
  const { inverse } = changeOf(mutation)
  const entry = inverse === undefined ? null : beginAction(mutation.label, { ...mutation, command: inverse })
  return (await runRefs(mutation, caller, entry)) === mutation.refs.length
}

/** Undoes the entry with this id, once. Records for which it fails stay in the entry. */
export async function undo(id: string): Promise<void> {
  const entry = takeUndo(id)
  if (entry) await runRefs(entry.mutation, {}, entry, true)
}

/** Resolves to the number of records for which it succeeded. */
async function runRefs(
  mutation: Mutation,
  caller: Caller,
  entry: UndoEntry | null,
  isUndo = false,
): Promise<number> {
  const change = changeOf(mutation)
  const session = store.get(sessionAtom)
  const outcomes: Outcome[] = []
  const done = new Set<NamedRef>()
  /** What can be undone. The latest first, which is the order of an undo. */
  let changed: readonly NamedRef[] = []
  const keep = (...underWay: NamedRef[]) => {
    if (isUndo) {
      const left = mutation.refs.filter((ref) => !done.has(ref))
      entry?.keep(
        left,
        left.length < mutation.refs.length ? `${mutation.label} (${left.length} left)` : entry.label,
      )
    } else {
      const open = [...underWay, ...changed]
      entry?.keep(open, labelOf(mutation, open.length))
    }
  }
  const claimOf = (ref: Ref) => `${mutation.command} ${refKey(ref)}`
  const refs = mutation.refs.filter((ref) => !claims.has(claimOf(ref)))
  for (const ref of refs) claims.add(claimOf(ref))
  const each = async (ref: NamedRef) => {
    // Stop when the session changes: the other records must not be changed in the next person's name.
    if (store.get(sessionAtom) !== session) return false
    // An undo has the label of the action that it undoes.
    const isOwnLabel = !isUndo && mutation.refs.length === 1
    const label = isOwnLabel ? mutation.label : change.label(ref)
    /** Blank until the change is sent. An upload that failed before it counts as no answer. */
    let key = ''
    const perform = async () => {
      const args = caller.prepare ? await caller.prepare() : mutation.args
      key = mutation.key ?? keyFor(mutation, ref)
      const answer = await change.perform(ref, args, key)
      patch(ref, answer.record)
      if (answer.record) caller.stored?.(answer.record)
      return answer
    }
    // This record too: if the page is left before the answer comes, it may be changed all the same.
    keep(ref)
    const outcome = await attempt(refKey(ref), {
      ...change,
      ...caller,
      label,
      perform,
      isOpen: (error) => mayBeStored(key, error),
    })
    claims.delete(claimOf(ref))
    if (outcome) outcomes.push(outcome)
    // Only an undo can bring back a record that may have left the list. To restore one that was not deleted changes nothing.
    const mayBeGone = outcome?.isLost && change.inverse?.endsWith('.restore')
    if (outcome?.hasChanged || mayBeGone) changed = [ref, ...changed]
    if (outcome?.isDone) {
      done.add(ref)
      deselect(ref)
    }
    keep()
    return true
  }
  // While it is paused, the screen shows what was done so far.
  await inBatch(change.doing ?? mutation.label, refs, each, () => reload(change.affects))
  for (const ref of refs) claims.delete(claimOf(ref))
  // R5: reload once for all records, after failures too.
  if (outcomes.length > 0) reload(change.affects)
  const isKept = entry?.end()
  if (isOthers(session?.email)) return done.size
  const toasts = (isDone: boolean) => [
    ...new Set(
      outcomes.flatMap((outcome) =>
        outcome.isDone === isDone && outcome.toast !== undefined ? outcome.toast : [],
      ),
    ),
  ]
  const successes = toasts(true)
  const action =
    entry && isKept && !isUndo
      ? { label: 'Undo', command: 'undo.last', run: () => void undo(entry.id), isOffered: canUndo(entry.id) }
      : undefined
  if (successes.length > 0) showToast(firstThree(successes), action)
  // Where the specification keeps toasts silent, the status line confirms.
  else if (done.size > 0) {
    const [first, ...others] = outcomes
    const word = isUndo ? 'Undone' : outcomes.some((one) => one.hasChanged) ? 'Done' : 'Already done'
    // If nothing changed, what the server says, such as who has acknowledged the SOS log.
    const reason = word === 'Already done' && others.length === 0 ? first?.message : ''
    say(reason || `${word}: ${labelOf(mutation, done.size)}`, action)
  }
  for (const failure of toasts(false)) showToast(failure)
  return done.size
}

/** "Suspend 50 drivers", or with " (12 of 50)" if it was cancelled or failed for the others. */
function labelOf({ label, refs }: Mutation, done: number): string {
  return done < refs.length ? `${label} (${done} of ${refs.length})` : label
}

/** Work that changes no record: an export, an upload. */
interface Task {
  /** For the activity panel. */
  label: string
  /** Resolves to the detail for the activity panel. */
  perform(): Promise<string>
  /** The failure toast; no toast if absent. */
  failed?: string
}

/** Runs a task with busy state under `name`, activity and toast. Resolves to false at once if it runs already. */
export async function runTask(name: string, task: Task): Promise<boolean> {
  const perform = async () => ({ message: await task.perform(), record: null, hasChanged: true })
  const outcome = await attempt(name, { ...task, perform })
  if (outcome?.toast !== undefined) showToast(outcome.toast)
  return outcome?.isDone ?? false
}

interface Work {
  label: string
  perform(): Promise<Answer>
  succeeded?: (message: string) => string
  failed?: Change['failed']
  refused?: Caller['refused']
  /** Whether the change may be stored after this failure. A task stores none. */
  isOpen?: (error: unknown) => boolean
}

interface Outcome {
  isDone: boolean
  /** The server's; absent after a failure. */
  message?: string
  hasChanged?: boolean
  /** The request or its answer was lost, so nobody knows whether it was done. */
  isLost?: boolean
  toast?: string | undefined
}

/**
 * Resolves to null at once if `name` is busy already, and if another person has signed in by the time the answer comes.
 */
async function attempt(name: string, work: Work): Promise<Outcome | null> {
  const { label, succeeded, failed, refused, isOpen } = work
  if (store.get(busyAtom).has(name)) return null
  const email = store.get(sessionAtom)?.email
  toggle(busyAtom, name, true)
  try {
    const { message, hasChanged } = await work.perform()
    if (isOthers(email)) return null
    openAttempts.delete(name)
    toggle(faultsAtom, name, false)
    store.set(activityAtom, { what: label, outcome: 'done', detail: message })
    const toast = succeeded && (succeeded(message) || `Done: ${label}`)
    return { isDone: true, message, hasChanged, toast }
  } catch (error) {
    if (isOthers(email)) return null
    // A cancelled request is not a failure: no toast, no fault mark, no activity entry.
    if (error instanceof DOMException && error.name === 'AbortError') return { isDone: false }
    // After a lost reply or a 5xx the retry keeps its Idempotency-Key.
    const mayBeStored = isOpen?.(error) === true
    if (!mayBeStored) openAttempts.delete(name)
    toggle(faultsAtom, name, true)
    store.set(activityAtom, { what: label, outcome: 'failed', detail: reasonOf(error) })
    refused?.(error, mayBeStored)
    const toast = typeof failed === 'function' ? failed(messageOf(error)) : failed
    return { isDone: false, isLost: mayBeStored && statusOf(error) < 500, toast }
  } finally {
    toggle(busyAtom, name, false)
  }
}

/** Whether another person has signed in since. The answer is then not shown. */
function isOthers(email: string | undefined): boolean {
  const session = store.get(sessionAtom)
  return session !== null && session.email !== email
}

/** The first three texts, a line each, then "and N more". */
function firstThree(texts: readonly string[]): string {
  const more = texts.length - 3
  return (more > 0 ? [...texts.slice(0, 3), `and ${more} more`] : texts).join('\n')
}

/** Clears open attempts, busy and fault marks when another person signs in. */
export function forgetRuns(): void {
  openAttempts.clear()
  claims.clear()
  store.set(busyAtom, new Set())
  store.set(faultsAtom, new Set())
}

function keyFor({ command, args }: Mutation, ref: NamedRef): string {
  const open = openAttempts.get(refKey(ref))
  // After another action on the record, by whomever, repeating this one needs a new key: the old key would return the old answer.
  const asked = JSON.stringify([command, args, ref.version])
  if (open?.asked === asked && Date.now() - open.since < attemptLifetime) return open.key
  const key = newId()
  openAttempts.set(refKey(ref), { asked, key, since: Date.now() })
  return key
}

function toggle(sets: typeof busyAtom, name: string, on: boolean): void {
  const next = new Set(store.get(sets))
  if (on) next.add(name)
  else next.delete(name)
  store.set(sets, next)
}

/** The `message` of the server's answer; blank if there is none. */
export const messageOf = (error: unknown) =>
  error instanceof HTTPError ? text(bodyOf(error).get('message')) : ''

function reasonOf(error: unknown): string {
  if (error instanceof HTTPError) return `${error.response.status} ${messageOf(error)}`.trim()
  return error instanceof Error ? error.message : String(error)
}

/** The fields of the answer. ky has already read the body and parsed it into `data`. */
export const bodyOf = (error: HTTPError) => entriesOf(error.data)

export const entriesOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
