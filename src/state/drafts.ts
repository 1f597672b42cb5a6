import type { UseStore } from 'idb-keyval'
import { createStore, del, entries, get, set } from 'idb-keyval'
import { atom, getDefaultStore } from 'jotai'
import { sessionAtom } from './session.ts'

/** What a form holds, by field: text, picked files, chosen records. Checked where it is read; it may be old. */
export type Values = Readonly<Record<string, unknown>>

/** What was typed and picked in a form and is not saved yet (R2). */
export interface Draft {
  values: Values
  /** What the form began with: the record as it was then, so that a change by somebody else shows. */
  base: Values
  /** The Idempotency-Key of saving exactly these values (R8). */
  key: string
  /** What the server refused, by field. */
  errors: Readonly<Record<string, readonly string[]>>
}

const store = getDefaultStore()
const keptAtom = atom<ReadonlyMap<string, Draft>>(new Map())

/** Every draft of this browser by its id, whoever wrote it. */
export const draftsAtom = atom((get) => get(keptAtom))

/** The ids of all drafts, for the dot on what opens their forms. */
export const draftKeysAtom = atom((get): ReadonlySet<string> => new Set(get(keptAtom).keys()))

/** Under what a draft is kept: staff member, form and record (`coupon:new`, `coupon:5`). */
export function draftId(record: string): string {
  return `${store.get(sessionAtom)?.email ?? ''} ${record}`
}

/** Keeps it at once, files included: on screen now, on disk as soon as the disk can. */
export function keepDraft(id: string, draft: Draft): void {
  show(id, draft)
  void onDisk(async (disk) => {
    await set(id, draft, disk)
    channel?.postMessage(id)
  })
}

/** After success or on purpose, never otherwise. */
export function discardDraft(id: string): void {
  if (!store.get(keptAtom).has(id)) return
  show(id, undefined)
  void onDisk(async (disk) => {
    await del(id, disk)
    channel?.postMessage(id)
  })
}

let channel: BroadcastChannel | undefined

/** A disk that does not answer holds nobody up. */
const patience = 1500

/** Reads what was kept before and from now on follows the other tabs. Resolves before the first form can open. */
export async function loadDrafts(): Promise<void> {
  channel ??= new BroadcastChannel('oms.drafts')
  channel.onmessage = ({ data: id }: MessageEvent<unknown>) => {
    if (typeof id === 'string') void onDisk(async (disk) => show(id, draftOf(await get<unknown>(id, disk))))
  }
  const reading = onDisk(async (disk) => {
    for (const [id, value] of await entries<IDBValidKey, unknown>(disk)) {
      const draft = draftOf(value)
      if (typeof id === 'string' && draft && !store.get(keptAtom).has(id)) show(id, draft)
    }
  })
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, patience))])
}

function show(id: string, draft: Draft | undefined): void {
  const drafts = new Map(store.get(keptAtom))
  if (draft) drafts.set(id, draft)
  else drafts.delete(id)
  store.set(keptAtom, drafts)
}

let opened: UseStore | undefined

async function onDisk(work: (disk: UseStore) => Promise<void>): Promise<void> {
  try {
    await work((opened ??= createStore('oms', 'drafts')))
  } catch {
    return // Full or blocked storage: the drafts live as long as this page.
  }
}

function draftOf(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { values, base, key, errors } = { values: null, base: null, key: null, errors: {}, ...value }
  return isValues(values) && isValues(base) && typeof key === 'string'
    ? { values, base, key, errors: errorsOf(errors) }
    : undefined
}

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

function errorsOf(value: unknown): Draft['errors'] {
  const errors: Record<string, readonly string[]> = {}
  for (const [field, texts] of Object.entries(isValues(value) ? value : {}))
    if (Array.isArray(texts)) errors[field] = texts.filter((one) => typeof one === 'string')
  return errors
}
