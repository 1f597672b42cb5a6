import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordEvent, sourceOf } from '../audit/events.ts'
import { staffOf } from '../auth.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { shapeErrors } from '../errors.ts'
import { HttpError } from '../http-error.ts'
import { isSame } from '../secrets.ts'
import { textOf } from '../storage/bodies.ts'
import { bucket, checkName, objectsPath, resourceOf } from '../storage/names.ts'
import { changeObject, deleteObject, findObject, getObject, listObjects } from '../storage/objects.ts'
import { readSettings } from '../storage/settings.ts'
import type { Store } from '../storage/store.ts'
import { openStore } from '../storage/open.ts'
import { sendBytes } from './download.ts'
import { registerUpload } from './upload.ts'

const Text = Type.Optional(Type.String())
const hide = true
const staffOnly = { scheme: 'Firebase' }

/**
 * The calls of the Firebase Storage SDK (S7.37). They carry the session token as `Authorization: Firebase …`; a download has
 * a token of its own. With a Firebase project configured, only downloads of files that are already here remain.
 */
export function registerStorage(app: TypedApp, deps: Deps): void {
  const { config } = deps
  // Bodies are read as streams, whatever their content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    return Promise.resolve()
  })
  shapeErrors(app, deps, (code, { message }) => ({ error: { code, message } }))
  const store = openStore(config)
  registerReading(app, store)
  if (config.firebase) return
  registerList(app, store)
  registerUpload(app, deps, store)
  registerChanges(app, deps, store)
}

function registerReading(app: TypedApp, store: Store): void {
  app.get(
    `${objectsPath}/*`,
    {
      config: { ...staffOnly, optional: true },
      schema: { hide, querystring: Type.Object({ alt: Text, token: Text }) },
    },
    async (request, reply) => {
      const name = nameOf(request)
      const { alt, token } = request.query
      if (alt === 'media' && token !== undefined) {
        const object = await findObject(store, name)
        // Without a token or a session the answer does not tell whether a name exists.
        if (!object || !isSame(token, object.token))
          throw new HttpError(403, 'The token in this address is not valid.')
        return sendBytes(request, reply, store, object)
      }
      staffOf(request)
      const object = await getObject(store, name)
      return alt === 'media' ? sendBytes(request, reply, store, object) : resourceOf(object)
    },
  )
}

function registerList(app: TypedApp, store: Store): void {
  app.get(
    objectsPath,
    {
      config: staffOnly,
      schema: {
        hide,
        querystring: Type.Object({
          prefix: Text,
          delimiter: Text,
          maxResults: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$' })),
          pageToken: Text,
        }),
      },
    },
    async (request) => {
      const { prefix = '', delimiter = '', maxResults = '1000', pageToken = '' } = request.query
      const { prefixes, items, next } = await listObjects(store, {
        prefix,
        delimiter,
        after: Buffer.from(pageToken, 'base64url').toString(),
        most: Number(maxResults),
      })
      return {
        prefixes,
        items: items.map((name) => ({ name, bucket })),
        ...(next !== undefined && { nextPageToken: Buffer.from(next).toString('base64url') }),
      }
    },
  )
}

function registerChanges(app: TypedApp, { engine, now }: Deps, store: Store): void {
  app.patch(`${objectsPath}/*`, { config: staffOnly, schema: { hide } }, async (request) => {
    const { name } = await getObject(store, nameOf(request))
    const settings = await textOf(request.raw)
    readSettings(settings)
    await recordEvent(engine.db, { ...sourceOf(request, now()), event: 'file.change', about: name })
    return resourceOf(await changeObject(store, name, settings, now()))
  })
  app.delete(`${objectsPath}/*`, { config: staffOnly, schema: { hide } }, async (request, reply) => {
    const { name } = await getObject(store, nameOf(request))
    await recordEvent(engine.db, { ...sourceOf(request, now()), event: 'file.delete', about: name })
    await deleteObject(store, name)
    return reply.code(204).send()
  })
}

/** The decoded object name in the URL. Throws HttpError 400. */
function nameOf({ params }: FastifyRequest): string {
  return checkName(params && typeof params === 'object' && '*' in params ? String(params['*']) : '')
}
