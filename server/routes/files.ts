import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { Deps, TypedApp } from '../deps.ts'
import { HttpError } from '../http-error.ts'
import { nouns } from '../nouns.ts'

/** How many exports may run at once; a further request gets 503 with Retry-After. */
const maxExports = 2
/** In milliseconds: the connection of a client that reads nothing for so long is closed. */
const readTimeout = 60_000
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** S7.9, S7.10: the lists that can be downloaded as a spreadsheet. */
export function registerFiles(app: TypedApp, { engine }: Deps): void {
  let running = 0
  const send = (reply: FastifyReply, fileName: string, content: () => Readable) => {
    if (running >= maxExports)
      throw new HttpError(503, 'Too many exports are running. Try again later.', { retryAfter: 10 })
    running++
    const stream = content().once('close', () => running--)
    reply.raw.setTimeout(readTimeout, () => reply.raw.destroy())
    return reply
      .type(xlsx)
      .header('content-disposition', `attachment; filename="${fileName}"; filename*=UTF-8''${fileName}`)
      .send(stream)
  }
  for (const { file } of nouns)
    if (file)
      // No HEAD: it would generate the whole file and discard it.
      app.get(`/api/v1/oms/${file.path}`, { exposeHeadRoute: false }, (_request, reply) =>
        send(reply, file.name, () => file.content(engine.db)),
      )
}
