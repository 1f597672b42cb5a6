import type { UseStore } from 'idb-keyval'
import { createStore, entries, getMany, promisifyRequest } from 'idb-keyval'
import { atom, getDefaultStore } from 'jotai'
import { numberOf } from '../format.ts'
import type { Ref } from './ref.ts'
import { refKey } from './ref.ts'
import { sessionAtom } from './session.ts'

/** Form values by field: text, picked files, chosen records. Their types are checked when they are read. */
export type Values = Readonly<Record<string, unknown>>

/** The unsaved values of a form (R2). */
export interface Draft {
  values: Values
  /** The record's values when the form was opened. A different stored value now is a change by somebody else. */
  base: Values
  /** The Idempotency-Key for saving exactly these values (R8). */
  key: string
  /** What was sent under a key and has no final answer: the record's version, which a retry under this key sends again, or all of a new record. */
  sent?: { key: string; version?: unknown; created?: SentRecord | undefined } | undefined
  /** Error texts by field, from the server or from an upload. */
  errors: Readonly<Record<string, readonly string[]>>
}

/** A new record as it was sent, and when, in Unix milliseconds. */
interface SentRecord {
  name: string
  fields: Values
  at: number
}

const store = getDefaultStore()
const keptAtom = atom<ReadonlyMap<string, Draft>>(new Map())

/** Every draft of this browser by its id, of all staff members. */
export const draftsAtom = atom((get) => get(keptAtom))

/** The ids of all drafts, for the dot on the buttons that open their forms. */
export const draftKeysAtom = atom((get): ReadonlySet<string> => new Set(get(keptAtom).keys()))

/** The id of a draft: the staff member's e-mail address and the record (`coupon:new`, `coupon:5`). */
export function draftId(ref: Ref): string {
  return `${store.get(sessionAtom)?.email ?? ''} ${refKey(ref)}`
}

/** Stores a draft in memory and in localStorage at once, and in IndexedDB in a transaction that it commits at once. */
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
 * Stores a picked file of a draft. Resolves when IndexedDB has stored or refused it, after 1.5 s at the latest. The
 * form shows the file as picked only then, so that a file that is shown is also stored.
 */
export function keepFile(id: string, field: string, file: File): Promise<void> {
  return inTime(onDisk(id, (disk) => disk.put({ [field]: file }, filesOf(id))))
}

/** Deletes a draft: after a successful save, by the person's choice, or when its values equal its base again. */
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

/** Loads the stored drafts and from now on the changes of other tabs. Resolves after 1.5 s at the latest. */
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
  // If IndexedDB does not answer, the copies in localStorage are shown all the same.
  for (const [id, value] of handedOver()) {
    const draft = draftOf(value, undefined)
    if (draft && !store.get(keptAtom).has(id)) show(id, draft)
  }
}

/** After a crash the old browser process can still lock IndexedDB, so up to five attempts are made within 4.5 s. */
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

/** If IndexedDB answers late, fields that were changed in the meantime keep their values. */
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

/** The number of the last change. Of two copies of a draft, the one with the higher number is newer. */
let changes = 0

const changeOf = (value: unknown) => (isValues(value) ? (numberOf(value['change']) ?? 0) : 0)

const prefix = 'oms.draft '

/** Copies a draft to localStorage until IndexedDB has stored it: the page may crash before that. */
function handOver(id: string, draft: object): void {
  try {
    localStorage.setItem(prefix + id, JSON.stringify(draft))
  } catch {
    return // localStorage is full or blocked: only IndexedDB keeps the draft.
  }
}

/** Removes the copy from localStorage, unless it is newer than this change. */
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
 * Commits the transaction explicitly, so that the browser completes it even if the page crashes at once. An automatic
 * commit waits until the page has handled the event of each request.
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

/** Resolves to whether IndexedDB did the work. While it is full or blocked, drafts last as long as the page. */
async function withDisk(work: (disk: UseStore) => Promise<void>): Promise<boolean> {
  try {
    await work((opened ??= createStore('oms', 'drafts')))
    return true
  } catch {
    // The next call opens the database again.
    opened = undefined
    return false
  }
}

/** Resolves with the work, or after 1.5 s if IndexedDB does not answer. */
const inTime = (work: Promise<void>) =>
  Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, 1500))])

/** The key of a draft's files, which have their own entry: they are written once, not with every letter. */
const filesOf = (id: string) => `${id} files`

const withoutFiles = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !(value instanceof File)))

function draftOf(value: unknown, files: unknown): Draft | undefined {
  const { values, base, key, sent, errors }: Values = isValues(value) ? value : {}
  if (!isValues(values) || !isValues(base) || typeof key !== 'string') return undefined
  return {
    values: isValues(files) ? { ...files, ...values } : values,
    ...{ base, key, sent: isSent(sent) ? sent : undefined, errors: errorsOf(errors) },
  }
}

const isSent = (value: unknown): value is NonNullable<Draft['sent']> =>
  isValues(value) &&
  typeof value['key'] === 'string' &&
  (value['created'] === undefined || isNewRecord(value['created']))

const isNewRecord = (value: unknown): boolean =>
  isValues(value) &&
  typeof value['name'] === 'string' &&
  typeof value['at'] === 'number' &&
  isValues(value['fields'])

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

function errorsOf(value: unknown): Draft['errors'] {
  const errors: Record<string, readonly string[]> = {}
  for (const [field, texts] of Object.entries(isValues(value) ? value : {}))
    if (Array.isArray(texts)) errors[field] = texts.filter((one) => typeof one === 'string')
  return errors
}
