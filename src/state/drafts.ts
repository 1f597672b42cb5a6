import type { UseStore } from 'idb-keyval'
import { createStore, entries, getMany, promisifyRequest } from 'idb-keyval'
import { atom, getDefaultStore } from 'jotai'
import { numberOf } from '../format.ts'
import type { Ref } from './ref.ts'
import { refKey } from './ref.ts'
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

/** Under what a draft is kept: staff member and record (`coupon:new`, `coupon:5`). */
export function draftId(ref: Ref): string {
  return `${store.get(sessionAtom)?.email ?? ''} ${refKey(ref)}`
}

/** Keeps it at once: on screen now, with the browser before the event that changed it is over. */
export function keepDraft(id: string, draft: Draft): void {
  show(id, draft)
  changes = Math.max(Date.now(), changes + 1)
  const kept = { ...draft, values: withoutFiles(draft.values), change: changes }
  handOver(id, kept)
  void onDisk(
    id,
    (disk) => disk.put(kept, id),
    () => takeBack(id, kept.change),
  )
}

/**
 * Keeps a picked file of a draft. Resolves once it is on disk, or the disk refuses it: copying takes a moment, and what
 * is shown as picked is kept.
 */
export function keepFile(id: string, field: string, file: File): Promise<void> {
  return inTime(onDisk(id, (disk) => disk.put({ [field]: file }, filesOf(id))))
}

/** After success or on purpose, never otherwise. */
export function discardDraft(id: string): void {
  if (!store.get(keptAtom).has(id)) return
  show(id, undefined)
  takeBack(id)
  void onDisk(id, (disk) => {
    disk.delete(id)
    disk.delete(filesOf(id))
  })
}

let channel: BroadcastChannel | undefined

/** Reads what was kept before and from now on follows the other tabs. Resolves before the first form can open. */
export async function loadDrafts(): Promise<void> {
  channel ??= new BroadcastChannel('oms.drafts')
  channel.onmessage = ({ data: id }: MessageEvent<unknown>) => {
    if (typeof id !== 'string') return
    void withDisk(async (disk) => {
      const [value, files] = await getMany<unknown>([id, filesOf(id)], disk)
      show(id, draftOf(value, files))
    })
  }
  await inTime(readAll())
  // A disk that says nothing does not hide what was handed over.
  for (const [id, value] of handedOver()) {
    const draft = draftOf(value, undefined)
    if (draft && !store.get(keptAtom).has(id)) show(id, draft)
  }
}

/** A browser that died a moment ago may still hold the disk: it is asked again, and what it has comes when it comes. */
async function readAll(): Promise<void> {
  for (const pause of [100, 400, 1000, 3000, 0]) {
    if (await withDisk(restoreAll)) return
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

async function restoreAll(disk: UseStore): Promise<void> {
  const found = new Map(await entries<IDBValidKey, unknown>(disk))
  for (const [id, value] of handedOver()) if (changeOf(value) > changeOf(found.get(id))) found.set(id, value)
  for (const [id, value] of found) {
    const draft = typeof id === 'string' && draftOf(value, found.get(filesOf(id)))
    if (draft) restore(id, draft)
  }
}

/** Where the disk took its time, what was typed meanwhile comes first. */
function restore(id: string, draft: Draft): void {
  const typed = store.get(keptAtom).get(id)
  if (!typed) {
    show(id, draft)
    return
  }
  const changed = Object.entries(typed.values).filter(([field, value]) => value !== typed.base[field])
  keepDraft(id, { ...draft, values: { ...draft.values, ...Object.fromEntries(changed) }, key: typed.key })
}

function show(id: string, draft: Draft | undefined): void {
  const drafts = new Map(store.get(keptAtom))
  if (draft) drafts.set(id, draft)
  else drafts.delete(id)
  store.set(keptAtom, drafts)
}

/** Of the last draft that was kept: tells the newer of two copies. */
let changes = 0

const changeOf = (value: unknown) => (isValues(value) ? (numberOf(value['change']) ?? 0) : 0)

const prefix = 'oms.draft '

/** What a page leaves behind if it dies before its transaction has begun; the disk's word makes it needless. */
function handOver(id: string, draft: object): void {
  try {
    localStorage.setItem(prefix + id, JSON.stringify(draft))
  } catch {
    return // Full or blocked: the disk alone keeps it.
  }
}

/** Unless it is newer than this change. */
function takeBack(id: string, change = Infinity): void {
  const held = handedOver()
  if (held.has(id) && changeOf(held.get(id)) <= change) localStorage.removeItem(prefix + id)
}

function handedOver(): Map<string, unknown> {
  try {
    const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(prefix))
    return new Map(kept.map(([key, json]) => [key.slice(prefix.length), JSON.parse(String(json))]))
  } catch {
    return new Map()
  }
}

let opened: UseStore | undefined

/**
 * Committed in so many words: the browser then finishes it even if this page dies at once, where it would otherwise wait
 * for the page to hear of each step.
 */
async function onDisk(id: string, write: (disk: IDBObjectStore) => void, done?: () => void): Promise<void> {
  await withDisk(async (disk) => {
    await disk('readwrite', (drafts) => {
      write(drafts)
      drafts.transaction.commit()
      return promisifyRequest(drafts.transaction)
    })
    done?.()
    channel?.postMessage(id)
  })
}

/** Resolves to whether the disk took it. While it is full or blocked the drafts live as long as this page. */
async function withDisk(work: (disk: UseStore) => Promise<void>): Promise<boolean> {
  try {
    await work((opened ??= createStore('oms', 'drafts')))
    return true
  } catch {
    // One that could not be opened is opened anew by what comes next.
    opened = undefined
    return false
  }
}

/** A disk that does not answer holds nobody up. */
const inTime = (work: Promise<void>) =>
  Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, 1500))])

/** Files lie beside their draft: they are written once and not with every letter. */
const filesOf = (id: string) => `${id} files`

const withoutFiles = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !(value instanceof File)))

function draftOf(value: unknown, files: unknown): Draft | undefined {
  const { values, base, key, errors }: Values = isValues(value) ? value : {}
  if (!isValues(values) || !isValues(base) || typeof key !== 'string') return undefined
  return { values: isValues(files) ? { ...files, ...values } : values, base, key, errors: errorsOf(errors) }
}

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

function errorsOf(value: unknown): Draft['errors'] {
  const errors: Record<string, readonly string[]> = {}
  for (const [field, texts] of Object.entries(isValues(value) ? value : {}))
    if (Array.isArray(texts)) errors[field] = texts.filter((one) => typeof one === 'string')
  return errors
}
