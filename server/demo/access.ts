import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Engine } from '../db/engine.ts'
import { isFromThisMachine } from '../hosts.ts'
import { noPassword } from './staff.ts'

export const demoLogin = { email: 'dispatcher@twende.test', password: 'twende-demo' }

/**
 * The demo login, for requests from this machine only. Null for a request that may come from another machine, and for every
 * request once a real account exists.
 */
export async function demoLoginFor(
  request: FastifyRequest,
  { engine, demoLogin }: Pick<Deps, 'engine' | 'demoLogin'>,
): Promise<Deps['demoLogin']> {
  return demoLogin && isFromThisMachine(request) && !(await hasRealStaff(engine)) ? demoLogin : null
}

/**
 * Whether the database has a real account, made with `npm run staff -- add`. Call it for a database with demo data
 * only.
 */
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

/** Deletes the sessions of the demo login. Call it when a real account is made. */
export async function endDemoSessions({ db }: Engine): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('staff_id', 'in', (from) =>
      from.selectFrom('staff').select('id').where('email', '=', demoLogin.email),
    )
    .execute()
}

/** Whether the demo data is loaded completely, or in part (`loading`); null without demo data. */
export async function demoState({ db }: Engine): Promise<'loaded' | 'loading' | null> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'demo').executeTakeFirst()
  return row?.value === 'loaded' || row?.value === 'loading' ? row.value : null
}
