import type { IncomingMessage } from 'node:http'
import { HttpError } from '../http-error.ts'

/** The chunks of the body. Throws HttpError 408, which clients retry, if the connection breaks. */
export async function* bytesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  // Keep the socket open for the reply when the loop ends early; `resume` below drains the rest of the body.
  const chunks: AsyncIterable<unknown> = request.iterator({ destroyOnReturn: false })
  try {
    for await (const chunk of chunks) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
  } catch {
    throw new HttpError(408, 'The connection closed before the whole body was received.')
  } finally {
    request.resume()
  }
}

const maxTextBytes = 64 * 1024

/** The body as text. Throws HttpError 413 above 64 KiB. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of bytesOf(request)) {
    if ((size += part.length) > maxTextBytes) throw new HttpError(413, 'The metadata is too long.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** A body of `multipart/related` with metadata and bytes. Throws HttpError 400. */
export async function readMultipart(
  request: IncomingMessage,
): Promise<{ settings: string; bytes: AsyncIterable<Buffer> }> {
  const [, quoted, bare] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(request.headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? bare
  if (!boundary) throw malformed()
  const body = bytesOf(request)
  let head = Buffer.alloc(0)
  for (;;) {
    const found = split(head, boundary)
    if (found) return { settings: found.settings, bytes: untilEnd(found.rest, body, boundary) }
    const next = await body.next()
    if (next.done || head.length > maxTextBytes) throw malformed()
    head = Buffer.concat([head, next.value])
  }
}

/** Null until the header of the second part is complete. */
function split(head: Buffer, boundary: string): { settings: string; rest: Buffer } | null {
  const blank = '\r\n\r\n'
  const first = head.indexOf(blank)
  const between = head.indexOf(`\r\n--${boundary}\r\n`, first)
  const second = between < 0 ? -1 : head.indexOf(blank, between)
  if (first < 0 || second < 0) return null
  return {
    settings: head.subarray(first + blank.length, between).toString(),
    rest: head.subarray(second + blank.length),
  }
}

/** The bytes before the closing boundary, which must end the body. */
async function* untilEnd(
  rest: Buffer,
  body: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Buffer> {
  const closing = Buffer.from(`\r\n--${boundary}--`)
  const held = closing.length + 2
  let tail = rest
  for await (const chunk of body) {
    tail = Buffer.concat([tail, chunk])
    if (tail.length <= held) continue
    yield tail.subarray(0, -held)
    tail = tail.subarray(-held)
  }
  const end = tail.lastIndexOf(closing)
  if (end < 0) throw malformed()
  yield tail.subarray(0, end)
}

const malformed = () =>
  new HttpError(400, 'The body must be multipart/related: JSON metadata, then the file.')
