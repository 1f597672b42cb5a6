import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from './config.ts'
import { HttpError } from './http-error.ts'
import { pagePolicy } from './policy.ts'

/**
 * Addresses that are never a screen: below those of files and of the storage, those that monitoring programs try, and files
 * at the top level. The page with status 200 would tell such a program that all is well.
 */
const unknown =
  /^\/((v0|assets|metrics\w*|ping|status|up|alive|actuator|(health|live|ready|readiness|liveness)[\w-]*)(\/|$)|[^/]*\.[^/]*$)/i

/** Serves the files of the built console, and index.html for every path that is neither a call nor a file. */
export async function serveConsole(
  app: FastifyInstance,
  folder: string,
  hosts: Pick<Config, 'apiHost' | 'firebase' | 'mapsKey'>,
): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  // Its visitors need less code at first.
  const loginPage = page.replaceAll(/<link rel="modulepreload"[^>]*>\s*/g, '')
  const policy = pagePolicy(hosts)
  const sendPage = (reply: FastifyReply, content: string) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy.replaceAll('{{nonce}}', nonce))
      .send(content.replaceAll('{{nonce}}', nonce))
  }

  // Unknown paths below /api require a token too, and never get index.html.
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
      // The build writes a .br and a .gz beside each file.
      preCompressed: true,
      allowedPath: (path) => !/\.map(\.(br|gz))?$/.test(path),
      immutable: true,
      maxAge: '365d',
    })
    console.get('/favicon.svg', { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile('favicon.svg', folder, { maxAge: '1d', immutable: false }),
    )
    console.get('/*', { schema: { hide: true } }, (request, reply) => {
      const path = request.url.split('?')[0] ?? '/'
      if (unknown.test(path)) throw new HttpError(404, `Not found: GET ${path}`)
      return sendPage(reply, /^\/login\/?$/i.test(path) ? loginPage : page)
    })
  })
}
