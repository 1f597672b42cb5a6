import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** The suffix of a file that is being written. A crash can leave such a file behind. */
export const unfinished = '.tmp'

/** Writes a file atomically and flushes it to the disk, so that it survives a power failure. */
export async function writeJson(path: string, value: object): Promise<void> {
  const temporary = `${path}.${randomUUID()}${unfinished}`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(JSON.stringify(value))
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

/** Null if the file does not exist. Throws if its content does not match the schema. */
export async function readJson<Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema> | null> {
  const text = await readFile(path, 'utf8').catch(absent)
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  if (!Value.Check(schema, value)) throw new Error('A metadata file of the storage is invalid.')
  return value
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
