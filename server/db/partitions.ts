import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { OperatorError } from '../operator-error.ts'
import type { Engine } from './engine.ts'
import { runAll } from './engine.ts'
import { nairobiOffset } from './hours.ts'
import type { Database } from './schema.ts'

/** The partition with the trips from before `partitionTrips`. */
const earlier = 'trips_earlier'

/** A partition of trips. It holds the ids from `from` on; null: all below the next partition. */
interface Partition {
  name: string
  from: number | null
  /** Whether it is the last one, which has no end. */
  isOpen: boolean
}

/** The partitions of trips in the order of their ids; empty if trips are one table, as they are at first and in SQLite. */
export async function partitionsOf({ name, db }: Pick<Engine, 'name' | 'db'>): Promise<Partition[]> {
  if (name === 'sqlite') return []
  const { rows } = await sql<{ name: string; bounds: string }>`
    select relname as name, pg_get_expr(relpartbound, oid) as bounds from pg_class
    where oid in (select inhrelid from pg_inherits where inhparent = to_regclass('trips'))`.execute(db)
  return rows
    .map(({ name, bounds }) => {
      const [, from] = /^FOR VALUES FROM \('?(\d+)'?\)/.exec(bounds) ?? []
      return {
        name,
        from: from === undefined ? null : Number(from),
        isOpen: bounds.endsWith('TO (MAXVALUE)'),
      }
    })
    .sort((a, b) => (a.from ?? 0) - (b.from ?? 0))
}

/**
 * Makes trips a partitioned table of PostgreSQL: the table so far becomes its first partition with all its indexes, and a second one takes
 * the ids from now on. Nothing is copied. Everybody who reads or changes trips waits while the ids of the first partition are checked:
 * it is read once.
 */
export async function partitionTrips(engine: Engine, now: number): Promise<void> {
  const references = await engine.db.transaction().execute(async (trx) => {
    await runAll(trx, engine.withoutTimeout)
    const references = await lock(trx)
    const indexes = await ask<{ name: string; definition: string; isKey: boolean }>(
      trx,
      `select relname as name, pg_get_indexdef(indexrelid) as definition, indisprimary as "isKey"
       from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = 'trips'::regclass`,
    )
    const triggers = await ask<{ name: string; definition: string }>(
      trx,
      `select tgname as name, pg_get_triggerdef(oid) as definition
       from pg_trigger where tgrelid = 'trips'::regclass and not tgisinternal`,
    )
    const keys = await ask<Reference>(
      trx,
      `${foreignKeys} where conrelid = 'trips'::regclass and contype = 'f'`,
    )
    const key = indexes.find(({ isKey }) => isKey)?.name ?? ''
    const others = indexes.filter(({ isKey }) => !isKey)
    const next = await nextId(trx)
    await runAll(trx, [
      ...references.map(dropped),
      ...triggers.map(({ name }) => `drop trigger ${name} on trips`),
      'alter table trips alter column id drop identity',
      `alter table trips rename to ${earlier}`,
      ...indexes.map(({ name }) => `alter index ${name} rename to ${earlier}_${name}`),
      `create table trips (like ${earlier} including defaults including constraints including storage) partition by range (id)`,
      `alter table trips add constraint ${key} primary key (id)`,
      ...keys.map(added),
      ...others.map(({ definition }) => definition),
      // Before version 17, PostgreSQL has no identity columns in partitioned tables.
      'create sequence trips_id_seq owned by trips.id',
      `select setval('trips_id_seq', ${next}, false)`,
      `alter table trips alter column id set default nextval('trips_id_seq')`,
      // PostgreSQL takes an index of the partition that is defined as one of the table for its part of that.
      `alter table trips attach partition ${earlier} for values from (minvalue) to (${next})`,
      `create table ${nameOf(now)} partition of trips for values from (${next}) to (maxvalue)`,
      ...triggers.map(({ definition }) => definition),
      ...references.map(addedUnchecked),
    ])
    return references
  })
  await settle(engine, references)
}

/**
 * Ends the last partition of trips when its month in Nairobi is over, and begins the next one: each has the trips from the first call in
 * a month to the first call in the next one. Everybody who reads or changes trips waits while the ids of the partition are checked.
 * Resolves to the name of the new partition; null if there is none.
 */
export async function beginMonth(engine: Engine, now: number): Promise<string | null> {
  const overdue = async (db: Kysely<Database>) =>
    (await partitionsOf({ name: engine.name, db })).find(({ name, isOpen }) => isOpen && name < nameOf(now))
  if (!(await overdue(engine.db))) return null
  const references = await engine.db.transaction().execute(async (trx) => {
    if (!(await engine.tryLock(trx, 'partitions'))) return null
    await runAll(trx, engine.withoutTimeout)
    const references = await lock(trx)
    const last = await overdue(trx)
    if (!last) return null
    const next = await nextId(trx)
    if (await isEmpty(trx, last)) {
      await runAll(trx, [`alter table ${last.name} rename to ${nameOf(now)}`])
      return null
    }
    await runAll(trx, [
      ...references.map(dropped),
      `alter table trips detach partition ${last.name}`,
      `alter table trips attach partition ${last.name} for values from (${last.from ?? 'minvalue'}) to (${next})`,
      `create table ${nameOf(now)} partition of trips for values from (${next}) to (maxvalue)`,
      ...references.map(addedUnchecked),
    ])
    return references
  })
  if (!references) return null
  await settle(engine, references)
  return nameOf(now)
}

/** Does what locks nobody out: checks the keys that refer to trips, and collects the statistics of all partitions, which autovacuum does not. */
async function settle(engine: Engine, references: readonly Reference[]): Promise<void> {
  await engine.db
    .transaction()
    .execute((trx) =>
      runAll(trx, [
        ...engine.withoutTimeout,
        ...references.map(({ table, name }) => `alter table ${table} validate constraint ${name}`),
        'analyze trips',
      ]),
    )
}

/** The foreign key `name` of `table`. */
interface Reference {
  table: string
  name: string
  definition: string
}

const foreignKeys = `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint`
const dropped = ({ table, name }: Reference) => `alter table ${table} drop constraint ${name}`
const added = ({ table, name, definition }: Reference) =>
  `alter table ${table} add constraint ${name} ${definition.replace(/ NOT VALID$/, '')}`
/** It holds for new rows; those that are there are checked by `settle`. */
const addedUnchecked = (reference: Reference) => `${added(reference)} not valid`

/**
 * Waits until nobody uses trips, and resolves to the foreign keys that refer to them. Whoever comes later waits behind this transaction,
 * so it gives up after two seconds (OperatorError).
 */
async function lock(trx: Kysely<Database>): Promise<Reference[]> {
  const find = () =>
    ask<Reference>(
      trx,
      `${foreignKeys} where confrelid = 'trips'::regclass and contype = 'f' and conparentid = 0`,
    )
  try {
    // Trips come last, as for those who read the other tables with their trips. In another order, each could wait for the other.
    const tables = new Set([...(await find()).map(({ table }) => table), 'trips'])
    await runAll(trx, [
      `set local lock_timeout = '2s'`,
      `lock table ${[...tables].join(', ')} in access exclusive mode`,
    ])
    return await find()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '55P03')) throw error
    throw new OperatorError(
      'Trips were in use for more than two seconds, for example by a backup. Nothing was changed. Try again later.',
    )
  }
}

async function isEmpty(trx: Kysely<Database>, { name }: Partition): Promise<boolean> {
  return (await ask(trx, `select id from ${name} limit 1`)).length === 0
}

/** Higher than the id of every trip, and of every one that was given and not used. */
async function nextId(trx: Kysely<Database>): Promise<number> {
  const [{ next } = { next: 1 }] = await ask<{ next: number }>(
    trx,
    `select greatest(
       (select coalesce(max(id), 0) + 1 from trips),
       nextval(pg_get_serial_sequence('trips', 'id')::regclass)
     ) as next`,
  )
  return next
}

async function ask<Row>(trx: Kysely<Database>, text: string): Promise<Row[]> {
  const { rows } = await sql.raw<Row>(text).execute(trx)
  return rows
}

/** The partition that begins in the month of this time in Nairobi: `trips_2026_11`. */
function nameOf(time: number): string {
  return `trips_${new Date(time + nairobiOffset).toISOString().slice(0, 7).replace('-', '_')}`
}
