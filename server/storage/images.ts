import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { HttpError } from '../http-error.ts'

/** Image types by their first bytes; the name and the declared type are not trusted. */
const kinds: [type: string, is: (head: Buffer) => boolean][] = [
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1'))],
  ['image/webp', (head) => /^RIFF[^]{4}WEBP/.test(head.toString('latin1'))],
  ['image/avif', (head) => /^[^]{4}ftypavi[fs]/.test(head.toString('latin1'))],
]
export const headLength = 12

/** The type of an image that browsers display without executing scripts in it. Throws HttpError 415 for anything else. */
export function typeOf(head: Buffer): string {
  const kind = kinds.find(([, is]) => is(head))
  if (!kind) throw new HttpError(415, 'Only PNG, JPEG, GIF, WebP and AVIF pictures can be stored.')
  return kind[0]
}

/** Reads a whole file and returns its image type, size and MD5 (base64). Throws HttpError 415 if it is not an image. */
export async function inspect(path: string): Promise<{ type: string; size: number; md5: string }> {
  const hash = createHash('md5')
  let head = Buffer.alloc(0)
  let size = 0
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.from(chunk)
    if (head.length < headLength) head = Buffer.concat([head, bytes.subarray(0, headLength)])
    size += bytes.length
    hash.update(bytes)
  }
  return { type: typeOf(head), size, md5: hash.digest('base64') }
}
