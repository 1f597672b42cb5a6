import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Problem } from '../problem.ts'

/** What a picture is by its first bytes, whatever its name and type say. */
const kinds: [extension: string, type: string, is: (head: Buffer) => boolean][] = [
  ['png', 'image/png', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['jpg', 'image/jpeg', (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['gif', 'image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1'))],
  ['webp', 'image/webp', (head) => /^RIFF[^]{4}WEBP/.test(head.toString('latin1'))],
  ['avif', 'image/avif', (head) => /^[^]{4}ftypavi[fs]/.test(head.toString('latin1'))],
]
const headLength = 12

const folderOf = (dataFolder: string) => join(dataFolder, 'files')

/**
 * Stores a picture under the hash of its bytes, all of it or nothing; resolves to its name. Throws Problem 413 beyond
 * `limit` bytes, 415 for what is no picture that browsers show without running it, 507 where there is no space left.
 */
export async function storeImage(dataFolder: string, stream: Readable, limit: number): Promise<string> {
  const folder = folderOf(dataFolder)
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `.${randomUUID()}`)
  const file = await open(unfinished, 'wx')
  try {
    const { hash, extension } = await copy(stream, file, limit)
    const name = `${hash}.${extension}`
    await file.sync()
    await file.close()
    await rename(unfinished, join(folder, name))
    await syncFolder(folder)
    return name
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new Problem(507, 'There is no space left to store this.')
    throw error
  }
}

/** A stored picture, or null where the name is of none. Names are hashes, so no name is ever a path. */
export async function openImage(dataFolder: string, name: string) {
  const extension = /^[0-9a-f]{64}\.(\w+)$/.exec(name)?.[1]
  const kind = kinds.find(([known]) => known === extension)
  if (!kind) return null
  const path = join(folderOf(dataFolder), name)
  const found = await stat(path).catch(() => null)
  return found && { type: kind[1], size: found.size, stream: createReadStream(path) }
}

async function copy(stream: Readable, file: FileHandle, limit: number) {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  let extension: string | undefined
  const look = () => {
    extension = kinds.find(([, , is]) => is(head))?.[0]
    if (!extension) throw new Problem(415, 'Only PNG, JPEG, GIF, WebP and AVIF pictures can be stored.')
  }
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    size += bytes.length
    if (size > limit) throw tooLarge(limit)
    if (!extension) {
      head = Buffer.concat([head, bytes])
      if (head.length >= headLength) look()
    }
    hash.update(bytes)
    await file.write(bytes)
  }
  if (!extension) look()
  return { hash: hash.digest('hex'), extension: extension ?? '' }
}

export function tooLarge(limit: number): Problem {
  return new Problem(413, `The picture is larger than ${limit} bytes.`)
}

/** After a power cut the name is there too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
