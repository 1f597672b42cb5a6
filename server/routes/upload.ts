import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordEvent, sourceOf } from '../audit/events.ts'
import { staffOf } from '../auth.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { reserveKeeper } from '../disk-space.ts'
import { HttpError } from '../http-error.ts'
import { readMultipart, textOf } from '../storage/bodies.ts'
import { checkWritable, objectsPath, resourceOf } from '../storage/names.ts'
import { readSettings } from '../storage/settings.ts'
import type { Publishing } from '../storage/objects.ts'
import type { Store } from '../storage/store.ts'
import { runCommand, startUpload, storeAtOnce } from '../storage/uploads.ts'

/** One path has three uses: an upload in a single request, the start of a resumable upload, and its commands. */
export function registerUpload(app: TypedApp, { config, engine, now, running }: Deps, store: Store): void {
  const { uploadLimit } = config

  const keepReserve = reserveKeeper(config)
  /** The most bytes of the body that are stored. A client need not tell the length. */
  const sizeOf = ({ headers }: FastifyRequest) =>
    Math.min(Number(headers['content-length'] ?? uploadLimit), uploadLimit)

  /** The upload is recorded before the file is published. */
  const publishing = (request: FastifyRequest): Publishing => ({
    now: now(),
    announce: (about) => recordEvent(engine.db, { ...sourceOf(request, now()), event: 'file.upload', about }),
  })

  const storeWhole = (request: FastifyRequest, name: string) =>
    keepReserve(sizeOf(request), async () => {
      const { settings, bytes } = await readMultipart(request.raw)
      const limits = { limit: uploadLimit, ...publishing(request) }
      return resourceOf(await storeAtOnce(store, { name, settings, bytes }, limits))
    })

  const start = async (request: FastifyRequest, name: string) => {
    const size = numberOf(request, 'header-content-length')
    if (size > uploadLimit) throw new HttpError(413, `The file is larger than ${uploadLimit} bytes.`)
    const id = await keepReserve(size, async () => {
      const settings = await textOf(request.raw)
      readSettings(settings)
      return startUpload(store, { name, staffId: staffOf(request).id, size, settings })
    })
    const query = new URLSearchParams({ name, upload_id: id, upload_protocol: 'resumable' }).toString()
    return `${originFor(request)}${objectsPath}?${query}`
  }

  const goOn = async (request: FastifyRequest, id: string) => {
    const words = headerOf(request, 'command').split(/[\s,]+/)
    const run = () =>
      runCommand(store, {
        id,
        staffId: staffOf(request).id,
        words,
        offset: headerOf(request, 'offset') === '' ? 0 : numberOf(request, 'offset'),
        body: request.raw,
        ...publishing(request),
      })
    return words.includes('upload') ? keepReserve(sizeOf(request), run) : run()
  }

  app.post(
    objectsPath,
    {
      config: { scheme: 'Firebase', slow: true },
      schema: {
        hide: true,
        querystring: Type.Object({
          name: Type.String(),
          upload_id: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}$' })),
        }),
      },
    },
    async (request, reply) => {
      // The client may be gone already, so this does not wait for its connection to close.
      running.uploads++
      try {
        const { name, upload_id: id } = request.query
        if (id !== undefined) {
          const { status, received, object } = await goOn(request, id)
          reply.header('x-goog-upload-status', status).header('x-goog-upload-size-received', received)
          return object ? resourceOf(object) : {}
        }
        checkWritable(name)
        if (headerOf(request, 'protocol') !== 'resumable') return await storeWhole(request, name)
        const url = await start(request, name)
        reply.header('x-goog-upload-status', 'active').header('x-goog-upload-url', url)
        return {}
      } finally {
        running.uploads--
      }
    },
  )
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[`x-goog-upload-${name}`]
  return typeof value === 'string' ? value.toLowerCase() : ''
}

/** Throws HttpError 400. */
function numberOf(request: FastifyRequest, name: string): number {
  const text = headerOf(request, name)
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, `X-Goog-Upload-${name} must be a whole number.`)
  return Number(text)
}

/**
 * The URL at which a resumable upload continues. A browser gets a path, which it resolves against its page, so that it works
 * behind any proxy. Other clients get the local address of the connection. The Host header is never used.
 */
function originFor({ headers, socket }: FastifyRequest): string {
  if (headers['user-agent']?.startsWith('Mozilla/')) return ''
  const { localAddress = '127.0.0.1', localPort = 0 } = socket
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}
