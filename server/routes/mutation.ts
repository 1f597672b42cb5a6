import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { staffOf } from '../auth.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../db/schema.ts'
import { HttpError } from '../http-error.ts'
import type { MutationResult } from '../queries/mutation.ts'
import { mutate } from '../queries/mutation.ts'

/** Runs the mutation that a request asks for, once per Idempotency-Key (R8), and returns the body of the reply. */
export async function answerMutation<Body>(
  { engine, now }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (trx: Transaction<Database>) => Promise<MutationResult<Body>>,
) {
  const { body, replayed, changed } = await mutate(
    {
      engine,
      now: now(),
      staffId: staffOf(request).id,
      requestId: request.id,
      key: readKey(request.headers['idempotency-key']),
      request: `${request.method} ${request.url.split('?')[0] ?? ''}`,
      asked: [request.method, request.url.replace(/\/+$/, ''), request.bodyText],
    },
    run,
  )
  if (replayed) reply.header('idempotency-replayed', 'true')
  // The console then offers no undo, which would take back what somebody else has done.
  if (!changed) reply.header('record-unchanged', 'true')
  return reply.send(body)
}

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
    throw new HttpError(400, 'The Idempotency-Key must be 1 to 200 visible characters.')
  return header
}
