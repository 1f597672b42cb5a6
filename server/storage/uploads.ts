import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { HttpError } from '../http-error.ts'
import { bytesOf } from './bodies.ts'
import { absent, readJson, syncFolder, writeJson } from './disk.ts'
import { headLength, typeOf } from './images.ts'
import type { StoredObject } from './objects.ts'
import { contentPath, findObject, objectsFolder, storeObject } from './objects.ts'
import { inTurn } from './turns.ts'

/** A resumable upload. Its bytes are written to their final file, whose length is the number of bytes received. */
export const Upload = Type.Object({
  name: Type.String(),
  staffId: Type.Number(),
  /** The declared size, in bytes. */
  size: Type.Number(),
  /** The JSON that the client sent. */
  settings: Type.String(),
})
type Upload = Static<typeof Upload>

export const uploadsFolder = (dataFolder: string) => join(dataFolder, 'storage', 'uploads')
const statePath = (dataFolder: string, id: string) => join(uploadsFolder(dataFolder), `${id}.json`)

/** Starts a resumable upload. Resolves to its id. */
export async function startUpload(dataFolder: string, upload: Upload): Promise<string> {
  const id = randomUUID()
  await createContent(dataFolder, upload.name, id)
  await mkdir(uploadsFolder(dataFolder), { recursive: true })
  await writeJson(statePath(dataFolder, id), upload)
  return id
}

/** Stores an image that is sent in a single request. Throws HttpError 413, 415, 400. */
export async function storeAtOnce(
  dataFolder: string,
  { name, settings, bytes }: { name: string; settings: string; bytes: AsyncIterable<Buffer> },
  { limit, now }: { limit: number; now: number },
): Promise<StoredObject> {
  const content = randomUUID()
  const path = await createContent(dataFolder, name, content)
  try {
    await append(path, 0, bytes, limit)
    return await storeObject(dataFolder, { name, content, settings }, now)
  } catch (error) {
    if ((await findObject(dataFolder, name))?.content !== content) await rm(path, { force: true })
    throw error
  }
}

interface Command {
  id: string
  staffId: number
  /** The value of the command header: "upload, finalize". */
  words: string[]
  offset: number
  body: IncomingMessage
  now: number
}

interface Progress {
  status: 'active' | 'final' | 'cancelled'
  received: number
  object: StoredObject | null
}

const receiving = new Map<string, IncomingMessage>()

/**
 * Runs a command of a resumable upload: upload, query, finalize or cancel. It aborts an earlier command that is still
 * running, because the client has given up on that one even if its connection has not closed yet. Throws HttpError 400,
 * 403, 404, 408, 409, 413, 415.
 */
export async function runCommand(dataFolder: string, command: Command): Promise<Progress> {
  const { id, staffId, body } = command
  const upload = await readJson(statePath(dataFolder, id), Upload)
  if (!upload) throw gone()
  if (upload.staffId !== staffId) throw new HttpError(403, 'Another staff member started this upload.')
  const before = receiving.get(id)
  if (before && !before.complete) before.destroy()
  receiving.set(id, body)
  try {
    return await inTurn(id, () => run(dataFolder, upload, command))
  } finally {
    if (receiving.get(id) === body) receiving.delete(id)
  }
}

async function run(dataFolder: string, upload: Upload, command: Command): Promise<Progress> {
  const { id, words, offset, body, now } = command
  const { name, size, settings } = upload
  const path = contentPath(dataFolder, name, id)
  const drop = async () => {
    await rm(statePath(dataFolder, id), { force: true })
    await rm(path, { force: true })
  }
  const stored = await findObject(dataFolder, name)
  if (stored?.content === id) return { status: 'final', received: size, object: stored }
  const received = (await stat(path).catch(absent))?.size
  if (received === undefined) throw gone()
  if (words.includes('cancel')) {
    await drop()
    return { status: 'cancelled', received, object: null }
  }
  try {
    const total = words.includes('upload') ? await append(path, offset, bytesOf(body), size) : received
    if (!words.includes('finalize')) return { status: 'active', received: total, object: null }
    if (total !== size) throw new HttpError(400, `${total} bytes were received, but ${size} were declared.`)
    const object = await storeObject(dataFolder, { name, content: id, settings }, now)
    return { status: 'final', received: size, object }
  } catch (error) {
    if (error instanceof HttpError && [413, 415].includes(error.statusCode)) await drop()
    throw error
  }
}

/** Writes at `offset`, over the bytes of an interrupted attempt, and returns the new length. */
async function append(
  path: string,
  offset: number,
  bytes: AsyncIterable<Buffer>,
  most: number,
): Promise<number> {
  const file = await open(path, 'a+')
  try {
    const { size: received } = await file.stat()
    if (offset > received)
      throw new HttpError(409, `The offset must not exceed the ${received} bytes received so far.`)
    await file.truncate(offset)
    let size = offset
    for await (const part of bytes) {
      if ((size += part.length) > most) throw new HttpError(413, `The file is larger than ${most} bytes.`)
      await file.appendFile(part)
    }
    if (size >= headLength) {
      const { buffer } = await file.read(Buffer.alloc(headLength), 0, headLength, 0)
      typeOf(buffer)
    }
    await file.sync()
    return size
  } finally {
    await file.close()
  }
}

async function createContent(dataFolder: string, name: string, content: string): Promise<string> {
  await mkdir(objectsFolder(dataFolder), { recursive: true })
  const path = contentPath(dataFolder, name, content)
  await (await open(path, 'wx')).close()
  await syncFolder(objectsFolder(dataFolder))
  return path
}

const gone = () => new HttpError(404, 'There is no such upload.')
