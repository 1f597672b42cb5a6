import type { Kysely } from 'kysely'
import { recountStatements } from '../../server/db/numbers.ts'
import type { Engine } from '../../server/db/engine.ts'
import { runAll } from '../../server/db/engine.ts'
import type { Database } from '../../server/db/schema.ts'

/** All numbers that triggers maintain. */
export async function keptNumbers(db: Kysely<Database>) {
  const totals = ['id', 'total_trips', 'total_completed_trips', 'total_failed_trips'] as const
  return {
    counters: await db
      .selectFrom('counters')
      .select(({ fn }) => ['name', fn.sum<number>('value').as('value')])
      .groupBy('name')
      .orderBy('name')
      .execute(),
    buckets: await db
      .selectFrom('id_buckets')
      .selectAll()
      .where('n', '<>', 0)
      .orderBy('entity')
      .orderBy('bucket')
      .execute(),
    hours: await db
      .selectFrom('hourly')
      .selectAll()
      .where((is) => is.or([is('n', '<>', 0), is('amount', '<>', 0)]))
      .orderBy('entity')
      .orderBy('hour')
      .execute(),
    days: await db
      .selectFrom('daily')
      .select(({ fn }) => ['entity', 'term', 'day', fn.sum<number>('n').as('n')])
      .groupBy(['entity', 'term', 'day'])
      .having(({ fn }) => fn.sum('n'), '<>', 0)
      .orderBy('entity')
      .orderBy('term')
      .orderBy('day')
      .execute(),
    areas: await db
      .selectFrom('area_days')
      .selectAll()
      .where((is) => is.or([is('n', '<>', 0), is('amount', '<>', 0)]))
      .orderBy('day')
      .orderBy('area')
      .execute(),
    drivers: await db
      .selectFrom('drivers')
      .select(totals)
      .select(['total_earnings', 'unpaid_invoices'])
      .orderBy('id')
      .execute(),
    customers: await db.selectFrom('customers').select(totals).orderBy('id').execute(),
  }
}

/** The same numbers, counted from the rows without changing the database. */
export async function recount(engine: Engine): Promise<Awaited<ReturnType<typeof keptNumbers>>> {
  const zero = { total_trips: 0, total_completed_trips: 0, total_failed_trips: 0 }
  const transaction = await engine.db.startTransaction().execute()
  try {
    await transaction
      .updateTable('drivers')
      .set({ ...zero, total_earnings: 0, unpaid_invoices: 0 })
      .execute()
    await transaction.updateTable('customers').set(zero).execute()
    await runAll(transaction, recountStatements(engine.counterParts))
    return await keptNumbers(transaction)
  } finally {
    await transaction.rollback().execute()
  }
}
