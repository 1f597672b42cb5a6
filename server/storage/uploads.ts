import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { HttpError } from '../http-error.ts'
import { bytesOf } from './bodies.ts'
import { headLength, headOf, typeOf } from './images.ts'
import type { Publishing, StoredObject } from './objects.ts'
import { contentKey, findObject, readRecord, storeObject } from './objects.ts'
import type { Store } from './store.ts'
import { inTurn } from './turns.ts'

/** A resumable upload. The store knows how many bytes were received. */
export const Upload = Type.Object({
  name: Type.String(),
  staffId: Type.Number(),
  /** The declared size, in bytes. */
  size: Type.Number(),
  /** The JSON that the client sent. */
  settings: Type.String(),
  /** The download token. It is chosen at the start, so that two servers that finish an upload answer the same. */
  token: Type.Optional(Type.String()),
})
type Upload = Static<typeof Upload>

const stateKey = (id: string) => `uploads/${id}.json`

/** Starts a resumable upload. Resolves to its id. */
export async function startUpload(store: Store, upload: Omit<Upload, 'token'>): Promise<string> {
  const id = randomUUID()
  await store.create(contentKey(upload.name, id))
  await store.writeText(stateKey(id), JSON.stringify({ ...upload, token: randomUUID() }))
  return id
}

/** Stores an image that is sent in a single request. Throws HttpError 413, 415, 400. */
export async function storeAtOnce(
  store: Store,
  { name, settings, bytes }: { name: string; settings: string; bytes: AsyncIterable<Buffer> },
  { limit, ...publishing }: Publishing & { limit: number },
): Promise<StoredObject> {
  const content = randomUUID()
  const key = contentKey(name, content)
  await store.create(key)
  try {
    const size = await store.append(key, 0, bytes, limit)
    return await storeObject(store, { name, content, size, settings, token: randomUUID() }, publishing)
  } catch (error) {
    if ((await findObject(store, name))?.content !== content) await store.discard(key)
    throw error
  }
}

interface Command extends Publishing {
  id: string
  staffId: number
  /** The value of the command header: "upload, finalize". */
  words: string[]
  offset: number
  body: IncomingMessage
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
export async function runCommand(store: Store, command: Command): Promise<Progress> {
  const { id, staffId, body } = command
  const upload = await readRecord(store, stateKey(id), Upload)
  if (!upload) throw gone()
  if (upload.staffId !== staffId) throw new HttpError(403, 'Another staff member started this upload.')
  const before = receiving.get(id)
  if (before && !before.complete) before.destroy()
  receiving.set(id, body)
  try {
    return await inTurn(id, () => run(store, upload, command))
  } finally {
    if (receiving.get(id) === body) receiving.delete(id)
  }
}

async function run(store: Store, upload: Upload, command: Command): Promise<Progress> {
  const { id, words, offset, body } = command
  const { name, size, settings, token = randomUUID() } = upload
  const key = contentKey(name, id)
  const drop = async () => {
    await store.remove(stateKey(id))
    await store.discard(key)
  }
  const finished = async (): Promise<Progress | null> => {
    const object = await findObject(store, name)
    return object?.content === id ? { status: 'final', received: size, object } : null
  }
  const before = await finished()
  if (before) return before
  const received = (await store.progress(key))?.received
  if (received === undefined) throw gone()
  if (words.includes('cancel')) {
    await drop()
    return { status: 'cancelled', received, object: null }
  }
  try {
    const total = words.includes('upload') ? await store.append(key, offset, bytesOf(body), size) : received
    if (offset < headLength && total >= headLength) typeOf(await headOf(store.bytes(key)))
    if (!words.includes('finalize')) return { status: 'active', received: total, object: null }
    if (total !== size) throw new HttpError(400, `${total} bytes were received, but ${size} were declared.`)
    const object = await storeObject(store, { name, content: id, size, settings, token }, command)
    return { status: 'final', received: size, object }
  } catch (error) {
    // Another server may have finished the upload meanwhile.
    const meanwhile = await finished()
    if (meanwhile) return meanwhile
    if (error instanceof HttpError && [413, 415].includes(error.statusCode)) await drop()
    throw error
  }
}

const gone = () => new HttpError(404, 'There is no such upload.')
