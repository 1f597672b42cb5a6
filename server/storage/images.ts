import { createHash } from 'node:crypto'
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

interface Inspected {
  type: string
  size: number
  /** In base64. */
  md5: string
  /** In hexadecimal digits. */
  sha256: string
}

/** Reads a whole file. Throws HttpError 415 if it is not an image. */
export async function inspect(bytes: AsyncIterable<Buffer>): Promise<Inspected> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  let head = Buffer.alloc(0)
  let size = 0
  for await (const part of bytes) {
    if (head.length < headLength) head = Buffer.concat([head, part.subarray(0, headLength)])
    size += part.length
    md5.update(part)
    sha256.update(part)
  }
  return { type: typeOf(head), size, md5: md5.digest('base64'), sha256: sha256.digest('hex') }
}

/** The first bytes of a file. */
export async function headOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  for await (const part of bytes) {
    head = Buffer.concat([head, part.subarray(0, headLength)])
    if (head.length >= headLength) break
  }
  return head
}
