import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../http-error.ts'
import { disposition } from '../storage/names.ts'
import type { StoredObject } from '../storage/objects.ts'
import { contentKey } from '../storage/objects.ts'
import { rangeOf } from '../storage/range.ts'
import type { Store } from '../storage/store.ts'

/** Sends a file or a range of it, with headers that prevent the browser from executing it. Throws HttpError 404, 416. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  { name, content, type, size, md5, updated, kept }: StoredObject,
) {
  // A request without a session has the download token, and the bytes behind a token never change.
  const caching = request.staff ? 'private, no-cache' : 'private, max-age=31536000, immutable'
  const { cacheControl = caching, contentDisposition = disposition(name), contentLanguage } = kept.texts
  const etag = `"${md5}"`
  /** Not for an error, which browsers would keep as long as the file. */
  const describe = () => {
    reply
      .type(type)
      .header('etag', etag)
      .header('last-modified', new Date(updated).toUTCString())
      .header('accept-ranges', 'bytes')
      .header('cache-control', cacheControl)
      .header('content-disposition', contentDisposition)
      .header('content-security-policy', "default-src 'none'; sandbox")
    if (contentLanguage) reply.header('content-language', contentLanguage)
  }
  if (isKnown(request.headers['if-none-match'], etag)) {
    describe()
    return reply.code(304).send()
  }

  const { range, 'if-range': since = etag } = request.headers
  const { status, first, last } = rangeOf(since === etag ? range : undefined, size)
  if (status !== 200)
    reply.header('content-range', `bytes ${status === 206 ? `${first}-${last}` : '*'}/${size}`)
  if (status === 416) throw new HttpError(416, 'The requested range is beyond the end of the file.')
  const file = await store.read(contentKey(name, content), { first, last })
  if (!file) throw new HttpError(404, 'There is no such file.')
  describe()
  reply.code(status).header('content-length', last - first + 1)
  if (request.method !== 'HEAD') return reply.send(file)
  file.destroy()
  return reply.send(Readable.from([]))
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}
