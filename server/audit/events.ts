import type { FastifyRequest } from 'fastify'
import type { Insertable, Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { plainAddress } from '../hosts.ts'

/** What `audit_events` records, as `noun.verb` (docs/operations.md). */
export type AuditEvent =
  | 'session.login'
  | 'session.logout'
  | 'session.refuse'
  | 'session.block'
  | 'session.end'
  | 'session.password'
  | 'list.export'
  | 'file.upload'
  | 'file.change'
  | 'file.delete'
  | 'file.expire'
  | `staff.${'add' | 'disable' | 'enable' | 'reset-password'}`

/** Stores one row of the audit. Changes of records have their own rows (queries/mutation.ts). */
export async function recordEvent(
  db: Kysely<Database>,
  event: Omit<Insertable<Database['audit_events']>, 'n'> & { n?: number },
): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({ n: 1, ...event })
    .execute()
}

/** Who makes a request, when, and from where. */
export function sourceOf(request: FastifyRequest, now: number) {
  return {
    at: now,
    staff_id: request.staff?.id ?? null,
    origin: addressOf(request),
    request_id: request.id,
  }
}

/** The address of the client. `unknown` after its connection has closed, because Node no longer knows it then. */
export const addressOf = ({ ip }: FastifyRequest) => plainAddress(ip || 'unknown')
