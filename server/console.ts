import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpError } from './http-error.ts'

const nonces = new WeakMap<ServerResponse, string>()

/** The one style nonce of a response, for its policy and for the page that it carries. */
export function nonceOf(response: ServerResponse): string {
  const nonce = nonces.get(response) ?? randomBytes(16).toString('base64')
  nonces.set(response, nonce)
  return nonce
}

/** Serves the built console: its files, and its page for every address that is not a call or a file. */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const sendPage = (reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(page.replaceAll('{{nonce}}', nonceOf(reply.raw)))

  // Calls that do not exist ask for a token too, and are never answered with the page.
  for (const path of ['/api', '/api/*'])
    app.get(path, { schema: { hide: true } }, (_request, reply) => {
      reply.callNotFound()
    })
  await app.register(async (console) => {
    console.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true }
    })
    await console.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
    })
    console.get('/favicon.svg', { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile('favicon.svg', folder, { maxAge: '1d', immutable: false }),
    )
    console.get('/*', { schema: { hide: true } }, (request, reply) => {
      const path = request.url.split('?')[0] ?? '/'
      if (/^\/(v0|assets)(\/|$)/.test(path)) throw new HttpError(404, `There is no GET ${path}.`)
      return sendPage(reply)
    })
  })
}
