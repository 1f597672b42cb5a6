import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Problem as ProblemAnswer, UploadAnswer } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { Problem } from '../problem.ts'
import { openImage, storeImage, tooLarge } from '../storage/plain.ts'

/** S7.37: pictures of attractions (`files/…`) and blogs (`uploads/…`). The bytes decide what a picture is. */
export function registerUploads(app: TypedApp, { config }: Deps): void {
  // A form on a foreign page cannot send this type without asking first.
  app.addContentTypeParser(/^image\//, (_request, payload, done) => done(null, payload))

  app.post(
    '/api/v1/oms/uploads/',
    {
      config: { slow: true },
      schema: {
        querystring: Type.Object({
          name: Type.String({ maxLength: 1024, pattern: '^(files|uploads)/[^\\u0000]+$' }),
        }),
        response: { 200: UploadAnswer, '4xx': ProblemAnswer, '5xx': ProblemAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { body } = request
      if (!(body instanceof Readable)) throw new Problem(415, 'A picture is sent as it is.')
      if (Number(request.headers['content-length'] ?? 0) > config.uploadLimit)
        throw tooLarge(config.uploadLimit)
      return { url: `/files/${await storeImage(config.dataFolder, body, config.uploadLimit)}` }
    },
  )

  // Open, as an <img> sends no token; a name cannot be guessed. Served so that nothing in it can run.
  app.get(
    '/files/:name',
    { config: { public: true }, schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    async (request, reply) => {
      const image = await openImage(config.dataFolder, request.params.name)
      if (!image) throw new Problem(404, 'There is no such file.')
      return reply
        .type(image.type)
        .header('content-length', image.size)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(image.stream)
    },
  )
}
