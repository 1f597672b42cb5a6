import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Engine } from '../db/engine.ts'
import { isFromThisMachine } from '../hosts.ts'
import { noPassword } from './staff.ts'

export const demoLogin = { email: 'dispatcher@twende.test', password: 'twende-demo' }

/**
 * The demo login for whom it is meant: a person at this machine who tries the product. Null for a request that may
 * come from elsewhere, and for everybody once somebody has an account of their own.
 */
export async function demoLoginFor(
  request: FastifyRequest,
  { engine, demoLogin }: Pick<Deps, 'engine' | 'demoLogin'>,
): Promise<Deps['demoLogin']> {
  return demoLogin && isFromThisMachine(request) && !(await hasRealStaff(engine)) ? demoLogin : null
}

/** Whether a database that holds the demo data has an account that `npm run staff -- add` made. */
export async function hasRealStaff({ db }: Engine): Promise<boolean> {
  const real = await db
    .selectFrom('staff')
    .select('id')
    .where('email', '<>', demoLogin.email)
    .where('password_hash', '<>', noPassword)
    .limit(1)
    .executeTakeFirst()
  return real !== undefined
}

/** Ends the sessions of the demo login; to be called where an account is made. */
export async function endDemoSessions({ db }: Engine): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('staff_id', 'in', (from) =>
      from.selectFrom('staff').select('id').where('email', '=', demoLogin.email),
    )
    .execute()
}

/** Whether the database holds the demo data, half of it, or none. */
export async function demoState({ db }: Engine): Promise<'loaded' | 'loading' | null> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'demo').executeTakeFirst()
  return row?.value === 'loaded' || row?.value === 'loading' ? row.value : null
}
