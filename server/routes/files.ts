import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordEvent, sourceOf } from '../audit/events.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { HttpError } from '../http-error.ts'
import { nouns } from '../nouns.ts'
import type { Noun } from '../nouns/noun.ts'
import { readFor } from '../reads.ts'

/** How many exports may run at once; a further request gets 503 with Retry-After. */
const maxExports = 2
/** In milliseconds: the connection of a client that reads nothing for so long is closed. */
const readTimeout = 60_000
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** S7.9, S7.10: the lists that can be downloaded as a spreadsheet. */
export function registerFiles(app: TypedApp, deps: Deps): void {
  const { engine, now, running } = deps
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { plural, file }: { plural: string; file: NonNullable<Noun['file']> },
  ) => {
    if (running.exports >= maxExports)
      throw new HttpError(503, 'Too many exports are running. Try again later.', { retryAfter: 10 })
    running.exports++
    let source = engine
    try {
      source = await readFor(request, deps, (database) => database)
      await recordEvent(engine.db, { ...sourceOf(request, now()), event: 'list.export', about: plural })
    } catch (error) {
      running.exports--
      throw error
    }
    const stream = file.content(source.db).once('close', () => running.exports--)
    reply.raw.setTimeout(readTimeout, () => reply.raw.destroy())
    return reply
      .type(xlsx)
      .header('content-disposition', `attachment; filename="${file.name}"; filename*=UTF-8''${file.name}`)
      .send(stream)
  }
  for (const { plural, file } of nouns)
    if (file)
      // No HEAD: it would generate the whole file and discard it.
      app.get(`/api/v1/oms/${file.path}`, { exposeHeadRoute: false }, (request, reply) =>
        send(request, reply, { plural, file }),
      )
}
