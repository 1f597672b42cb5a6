import type { FastifyRequest } from 'fastify'
import { staffOf } from './auth.ts'
import type { Engine } from './db/engine.ts'
import type { Deps } from './deps.ts'

/** How many changes of one person may be under way at the same time, and many more. */
const newest = 40

/**
 * Reads from the replica if it is near and has the newest changes of the staff member who asks, so that nobody misses what they
 * have done themselves. Otherwise, or if the replica fails, reads from the main database.
 */
export async function readFor<Result>(
  request: FastifyRequest,
  { engine, replica }: Pick<Deps, 'engine' | 'replica'>,
  read: (database: Engine) => Result | Promise<Result>,
): Promise<Result> {
  if (!replica?.isNear()) return read(engine)
  try {
    if (await hasChangesOf(staffOf(request).id, engine, replica.engine)) return await read(replica.engine)
  } catch (error) {
    if (!replica.hasFailed(error)) throw error
  }
  return read(engine)
}

/**
 * The rows of the audit are stored in the transactions of the changes, so the replica has a change if it has its row. Ids are not
 * in the order of the transactions' ends, therefore several are compared.
 */
async function hasChangesOf(staffId: number, main: Engine, copy: Engine): Promise<boolean> {
  const changes = await main.db
    .selectFrom('audit')
    .select('id')
    .where('staff_id', '=', staffId)
    .orderBy('id', 'desc')
    .limit(newest)
    .execute()
  if (changes.length === 0) return true
  const ids = changes.map(({ id }) => id)
  const found = await copy.db
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('id', 'in', ids)
    .executeTakeFirst()
  return found?.n === ids.length
}
