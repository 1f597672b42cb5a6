import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import { HttpError } from '../http-error.ts'
import { OperatorError } from '../operator-error.ts'
import { parsed } from './disk.ts'
import { inspect } from './images.ts'
import { applySettings, Kept, readSettings } from './settings.ts'
import type { Store } from './store.ts'
import { inTurn } from './turns.ts'

/**
 * The metadata record of a stored file. The bytes are a second file, and the record is written when they are complete.
 */
export const StoredObject = Type.Object({
  name: Type.String(),
  /** The id of the file with the bytes; overwriting an object changes it. */
  content: Type.String(),
  type: Type.String(),
  size: Type.Number(),
  md5: Type.String(),
  /** The download token: a request with it needs no session. */
  token: Type.String(),
  generation: Type.Number(),
  metageneration: Type.Number(),
  /** In milliseconds. */
  created: Type.Number(),
  updated: Type.Number(),
  kept: Kept,
})
export type StoredObject = Static<typeof StoredObject>

/** The key of an object is a hash of its name, so no name can lead to another folder. */
const hashOf = (name: string) => createHash('sha256').update(name).digest('hex')
export const recordKey = (name: string) => `objects/${hashOf(name)}.json`
export const contentKey = (name: string, content: string) => `objects/${hashOf(name)}.${content}`

/** Null if there is no such record. Throws OperatorError if its content does not match the schema. */
export async function readRecord<Schema extends TSchema>(
  store: Store,
  key: string,
  schema: Schema,
): Promise<Static<Schema> | null> {
  const text = await store.readText(key)
  if (text === null) return null
  const value = parsed(text)
  if (!Check(schema, value))
    throw new OperatorError(
      `${key}, a record of the storage, is damaged. To find out what else is damaged: npm run check`,
    )
  return value
}

export function findObject(store: Store, name: string): Promise<StoredObject | null> {
  return readRecord(store, recordKey(name), StoredObject)
}

/** Throws HttpError 404. */
export async function getObject(store: Store, name: string): Promise<StoredObject> {
  const object = await findObject(store, name)
  if (!object) throw new HttpError(404, 'There is no such file.')
  return object
}

export interface Publishing {
  now: number
  /** Called with the name right before the file can be read. If it throws, the upload stays unfinished. */
  announce?: (name: string) => Promise<void>
}

/**
 * Publishes the bytes at `contentKey` under the name of an object. An earlier object of that name is replaced, and its
 * download token becomes invalid. Throws HttpError 415 for anything but an image, 400 for another checksum than declared, 503
 * if there are not `size` bytes, because another server has taken back some of them for a chunk that was sent again.
 */
export async function storeObject(
  store: Store,
  {
    name,
    content,
    size,
    settings,
    token,
  }: Pick<StoredObject, 'name' | 'content' | 'size' | 'token'> & { settings: string },
  { now, announce }: Publishing,
): Promise<StoredObject> {
  const { md5Hash, ...wanted } = readSettings(settings)
  const key = contentKey(name, content)
  const { sha256, ...inspected } = await inspect(store.bytes(key))
  if (inspected.size !== size)
    throw new HttpError(503, 'Another request has changed the upload. Try again.', { retryAfter: 1 })
  if (md5Hash && md5Hash !== inspected.md5)
    throw new HttpError(400, 'The MD5 checksum of the received file differs from the declared one.')
  await store.finish(key, { size: inspected.size, sha256 })
  return inTurn(recordKey(name), async () => {
    const before = await findObject(store, name)
    const object = {
      name,
      content,
      ...inspected,
      token,
      generation: Math.max(now, (before?.generation ?? 0) + 1),
      metageneration: 1,
      created: now,
      updated: now,
      kept: applySettings({ texts: {}, custom: {} }, wanted),
    }
    await announce?.(name)
    await store.writeText(recordKey(name), JSON.stringify(object))
    // Another server may have published the same content at the same time.
    if (before && before.content !== content) await store.remove(contentKey(name, before.content))
    await store.tidy(key)
    return object
  })
}

/** Throws HttpError 404, 400. */
export function changeObject(
  store: Store,
  name: string,
  settings: string,
  now: number,
): Promise<StoredObject> {
  return inTurn(recordKey(name), async () => {
    const before = await getObject(store, name)
    const object = {
      ...before,
      metageneration: before.metageneration + 1,
      updated: now,
      kept: applySettings(before.kept, readSettings(settings)),
    }
    await store.writeText(recordKey(name), JSON.stringify(object))
    return object
  })
}

/** Throws HttpError 404. */
export function deleteObject(store: Store, name: string): Promise<void> {
  return inTurn(recordKey(name), async () => {
    const { content } = await getObject(store, name)
    await store.remove(recordKey(name))
    await store.remove(contentKey(name, content))
  })
}

interface Listing {
  prefix: string
  /** The delimiter: all names that continue after it become one prefix entry. Empty for none. */
  delimiter: string
  /** Only entries after this one are listed. */
  after: string
  most: number
}

/** Names in byte order, and prefixes that end with the delimiter. */
export async function listObjects(store: Store, { prefix, delimiter, after, most }: Listing) {
  const entries = new Set<string>()
  const items = new Set<string>()
  for await (const { name } of allObjects(store)) {
    if (!name.startsWith(prefix)) continue
    const end = delimiter ? name.indexOf(delimiter, prefix.length) : -1
    const entry = end < 0 ? name : name.slice(0, end + delimiter.length)
    if (compare(entry, after) <= 0) continue
    entries.add(entry)
    if (end < 0) items.add(name)
  }
  const sorted = [...entries].sort(compare)
  const page = sorted.slice(0, most)
  return {
    prefixes: page.filter((entry) => !items.has(entry)),
    items: page.filter((entry) => items.has(entry)),
    next: sorted.length > most ? page.at(-1) : undefined,
  }
}

const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * The records of all objects, one after the other, in no particular order. `failed` gets the error of each damaged record, which is
 * then left out. Without it, throws OperatorError.
 */
export async function* allObjects(
  store: Store,
  failed?: (error: OperatorError) => void,
): AsyncGenerator<StoredObject> {
  for (const { name } of await store.list('objects')) {
    if (!name.endsWith('.json')) continue
    const object = await readRecord(store, `objects/${name}`, StoredObject).catch((error: unknown) => {
      if (!failed || !(error instanceof OperatorError)) throw error
      failed(error)
      return null
    })
    if (object) yield object
  }
}
