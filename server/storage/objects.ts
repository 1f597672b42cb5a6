import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { HttpError } from '../http-error.ts'
import { absent, readJson, syncFolder, writeJson } from './disk.ts'
import { inspect } from './images.ts'
import { applySettings, Kept, readSettings } from './settings.ts'
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

/** The folder of the storage. The path of an object is a hash of its name, so no name can lead to another folder. */
export const objectsFolder = (dataFolder: string) => join(dataFolder, 'storage', 'objects')
const recordEnd = '.json'
const hashOf = (name: string) => createHash('sha256').update(name).digest('hex')
const recordPath = (dataFolder: string, name: string) =>
  join(objectsFolder(dataFolder), hashOf(name) + recordEnd)
export const contentPath = (dataFolder: string, name: string, content: string) =>
  join(objectsFolder(dataFolder), `${hashOf(name)}.${content}`)

export function findObject(dataFolder: string, name: string): Promise<StoredObject | null> {
  return readJson(recordPath(dataFolder, name), StoredObject)
}

/** Throws HttpError 404. */
export async function getObject(dataFolder: string, name: string): Promise<StoredObject> {
  const object = await findObject(dataFolder, name)
  if (!object) throw new HttpError(404, 'There is no such file.')
  return object
}

/**
 * Publishes the bytes at `contentPath` under the name of an object. An earlier object of that name is replaced, and its
 * download token becomes invalid. Throws HttpError 415 for anything but an image, 400 if `settings` declare another type.
 */
export async function storeObject(
  dataFolder: string,
  { name, content, settings }: { name: string; content: string; settings: string },
  now: number,
): Promise<StoredObject> {
  const { md5Hash, ...wanted } = readSettings(settings)
  const inspected = await inspect(contentPath(dataFolder, name, content))
  if (md5Hash && md5Hash !== inspected.md5)
    throw new HttpError(400, 'The MD5 checksum of the received file differs from the declared one.')
  return inTurn(recordPath(dataFolder, name), async () => {
    const before = await findObject(dataFolder, name)
    const object = {
      name,
      content,
      ...inspected,
      token: randomUUID(),
      generation: Math.max(now, (before?.generation ?? 0) + 1),
      metageneration: 1,
      created: now,
      updated: now,
      kept: applySettings({ texts: {}, custom: {} }, wanted),
    }
    await writeJson(recordPath(dataFolder, name), object)
    if (before) await rm(contentPath(dataFolder, name, before.content), { force: true })
    return object
  })
}

/** Throws HttpError 404, 400. */
export function changeObject(
  dataFolder: string,
  name: string,
  settings: string,
  now: number,
): Promise<StoredObject> {
  return inTurn(recordPath(dataFolder, name), async () => {
    const before = await getObject(dataFolder, name)
    const object = {
      ...before,
      metageneration: before.metageneration + 1,
      updated: now,
      kept: applySettings(before.kept, readSettings(settings)),
    }
    await writeJson(recordPath(dataFolder, name), object)
    return object
  })
}

/** Throws HttpError 404. */
export function deleteObject(dataFolder: string, name: string): Promise<void> {
  return inTurn(recordPath(dataFolder, name), async () => {
    const { content } = await getObject(dataFolder, name)
    await rm(recordPath(dataFolder, name))
    await syncFolder(objectsFolder(dataFolder))
    await rm(contentPath(dataFolder, name, content), { force: true })
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
export async function listObjects(dataFolder: string, { prefix, delimiter, after, most }: Listing) {
  const entries = new Set<string>()
  const items = new Set<string>()
  for await (const { name } of allObjects(dataFolder)) {
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

async function* allObjects(dataFolder: string): AsyncGenerator<StoredObject> {
  const folder = objectsFolder(dataFolder)
  for (const file of (await readdir(folder).catch(absent)) ?? []) {
    const object = file.endsWith(recordEnd) ? await readJson(join(folder, file), StoredObject) : null
    if (object) yield object
  }
}
