import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HttpError } from '../http-error.ts'
import type { Store } from './store.ts'

/** The suffix of a text that is being written. A crash can leave such a file behind. */
export const unfinished = '.tmp'

/** Keeps everything below `storage` in the data folder. A content grows in its final file. */
export function diskStore(dataFolder: string): Store {
  const path = (key: string) => join(dataFolder, 'storage', key)
  const remove = async (key: string) => {
    const isGone = (await rm(path(key)).catch(absent)) === null
    await syncFolder(dirname(path(key))).catch(absent)
    return !isGone
  }
  return {
    readText: (key) => readFile(path(key), 'utf8').catch(absent),
    writeText: (key, text) => writeText(path(key), text),
    remove,
    list: (folder) => list(path(folder)),
    create: async (key) => {
      await mkdir(dirname(path(key)), { recursive: true })
      await (await open(path(key), 'wx')).close()
      await syncFolder(dirname(path(key)))
    },
    progress: async (key) => {
      const found = await stat(path(key)).catch(absent)
      return found && { received: found.size, modified: found.mtimeMs }
    },
    append: (key, offset, bytes, most) => append(path(key), offset, bytes, most),
    bytes: (key) => createReadStream(path(key)),
    finish: () => Promise.resolve(),
    tidy: () => Promise.resolve(),
    discard: async (key) => {
      await remove(key)
    },
    read: async (key, { first, last }) => {
      const file = await open(path(key)).catch(absent)
      return file && file.createReadStream({ start: first, end: last })
    },
  }
}

/** Writes a file atomically and flushes it to the disk, so that it survives a power failure. */
async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}${unfinished}`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function list(folder: string) {
  const entries = []
  for (const name of (await readdir(folder).catch(absent)) ?? []) {
    const found = await stat(join(folder, name)).catch(absent)
    if (found) entries.push({ name, modified: found.mtimeMs })
  }
  return entries
}

async function append(
  path: string,
  offset: number,
  bytes: AsyncIterable<Buffer>,
  most: number,
): Promise<number> {
  const file = await open(path, 'a+')
  try {
    const { size: received } = await file.stat()
    if (offset > received) throw beyond(received)
    await file.truncate(offset)
    let size = offset
    for await (const part of bytes) {
      if ((size += part.length) > most) throw tooLarge(most)
      await file.appendFile(part)
    }
    await file.sync()
    return size
  } finally {
    await file.close()
  }
}

export const beyond = (received: number) =>
  new HttpError(409, `The offset must not exceed the ${received} bytes received so far.`)
export const tooLarge = (most: number) => new HttpError(413, `The file is larger than ${most} bytes.`)

/** Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** For `catch`: returns null for a missing file and throws any other error again. */
export function absent(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error))
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
