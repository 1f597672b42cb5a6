import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { HttpError } from '../http-error.ts'
import { beyond, tooLarge } from './disk.ts'
import type { S3Options } from './s3.ts'
import { askBucket } from './s3.ts'
import type { Store } from './store.ts'

/** Bytes of an upload that are held in memory until they are written as one part. */
const partSize = 8 * 1024 * 1024

interface Part {
  key: string
  /** The first byte, and the one after the last, in the content. */
  from: number
  to: number
  modified: number
}

/**
 * Keeps everything in a bucket. The bytes of an unfinished content are parts, which servers without anything else in common
 * can write: `parts/<id>/<offset>.<random>`. No part is ever overwritten. Finishing copies them into one object.
 */
export function s3Store(options: S3Options): Store {
  const put = (key: string, body: Buffer) => askBucket(options, { method: 'PUT', key, body }).then(drain)
  const remove = (key: string) => askBucket(options, { method: 'DELETE', key }).then(drain)
  const get = (key: string, first: number, last: number) =>
    askBucket(options, { method: 'GET', key, headers: { range: `bytes=${first}-${last}` } })

  const partsOf = async (key: string): Promise<Part[]> => {
    const parts = []
    for (const { key: name, size, modified } of await listBucket(options, `parts/${idIn(key)}/`)) {
      const from = Number(/\/(\d+)\.[^/]*$/.exec(name)?.[1])
      parts.push({ key: name, from, to: from + size, modified })
    }
    return parts
  }
  const whole = async (key: string) => (await listBucket(options, key)).find((one) => one.key === key) ?? null

  async function* bytes(key: string): AsyncGenerator<Buffer> {
    const parts = await partsOf(key)
    const size = (await whole(key))?.size ?? 0
    const pieces = parts.length > 0 ? chain(parts) : size > 0 ? [{ key, from: 0, to: size, at: 0 }] : []
    for (const { key: part, from, to, at } of pieces) {
      const answer = await get(part, at - from, to - from - 1)
      if (!answer) throw new HttpError(503, 'The upload was changed meanwhile. Try again.', { retryAfter: 1 })
      for await (const chunk of answer) yield Buffer.from(chunk)
    }
  }

  return {
    readText: async (key) => {
      const answer = await askBucket(options, { method: 'GET', key })
      return answer && text(answer)
    },
    writeText: (key, content) => put(key, Buffer.from(content)),
    remove: async (key) => {
      await remove(key)
      return true
    },
    list: async (folder) => {
      const found = await listBucket(options, `${folder}/`)
      return found.map(({ key, modified }) => ({ name: key.slice(folder.length + 1), modified }))
    },
    // A part without bytes: an upload that has received nothing differs from one that does not exist.
    create: (key) => put(partKey(key, 0), Buffer.alloc(0)),
    progress: async (key) => {
      const parts = await partsOf(key)
      if (parts.length > 0)
        return { received: lengthOf(parts), modified: Math.max(...parts.map(({ modified }) => modified)) }
      const found = await whole(key)
      return found && { received: found.size, modified: found.modified }
    },
    append: async (key, offset, incoming, most) => {
      const parts = await partsOf(key)
      const received = lengthOf(parts)
      if (offset > received) throw beyond(received)
      for (const part of chain(parts))
        if (part.at < offset && offset < part.to) {
          const kept = await get(part.key, part.at - part.from, offset - part.from - 1)
          await put(partKey(key, part.at), Buffer.concat(kept ? await kept.toArray() : []))
        }
      await Promise.all(parts.filter(({ to }) => to > offset).map((part) => remove(part.key)))

      let held: Buffer[] = []
      let size = offset
      let written = offset
      const write = async () => {
        if (size > written) await put(partKey(key, written), Buffer.concat(held))
        held = []
        written = size
      }
      try {
        for await (const chunk of incoming) {
          if (size + chunk.length > most) throw tooLarge(most)
          size += chunk.length
          held.push(chunk)
          if (size - written >= partSize) await write()
        }
      } catch (error) {
        // Keep what was received before the connection broke.
        if (error instanceof HttpError && error.statusCode === 408) await write()
        throw error
      }
      await write()
      return size
    },
    bytes,
    finish: async (key, content) => {
      if ((await partsOf(key)).length === 0) return
      await askBucket(options, { method: 'PUT', key, body: { ...content, open: () => bytes(key) } }).then(
        drain,
      )
    },
    tidy: async (key) => {
      await Promise.all((await partsOf(key)).map((part) => remove(part.key)))
    },
    discard: async (key) => {
      await Promise.all([remove(key), ...(await partsOf(key)).map((part) => remove(part.key))])
    },
    read: (key, { first, last }) => get(key, first, last),
  }
}

const idIn = (key: string) => key.slice(key.indexOf('.') + 1)
const partKey = (key: string, offset: number) =>
  `parts/${idIn(key)}/${String(offset).padStart(15, '0')}.${randomUUID()}`

/**
 * The parts that together are the bytes received, each with the offset from which it is used. Parts can overlap: a late write
 * of a server whose client has sent the chunk again to another server has the same bytes.
 */
function chain(parts: Part[]): (Part & { at: number })[] {
  const chosen: (Part & { at: number })[] = []
  for (let at = 0; ;) {
    const next = parts.filter(({ from, to }) => from <= at && to > at).toSorted((a, b) => b.to - a.to)[0]
    if (!next) return chosen
    chosen.push({ ...next, at })
    at = next.to
  }
}

const lengthOf = (parts: Part[]) => chain(parts).at(-1)?.to ?? 0

/** All keys with this prefix, in pages of 1,000. */
async function listBucket(options: S3Options, prefix: string) {
  const found: { key: string; size: number; modified: number }[] = []
  for (;;) {
    const after = found.at(-1)?.key
    const query = { 'list-type': '2', prefix, ...(after !== undefined && { 'start-after': after }) }
    const answer = await askBucket(options, { method: 'GET', query })
    const page = answer ? await text(answer) : ''
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      found.push({
        key: valueOf(entry, 'Key'),
        size: Number(valueOf(entry, 'Size')),
        modified: Date.parse(valueOf(entry, 'LastModified')),
      })
    if (valueOf(page, 'IsTruncated') !== 'true') return found
  }
}

/** Keys of the storage have no characters that XML escapes. */
const valueOf = (xml: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? ''

const drain = (answer: IncomingMessage | null) => {
  answer?.resume()
}
