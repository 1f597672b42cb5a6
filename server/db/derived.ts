import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Derived, Engine } from './engine.ts'
import { runAll } from './engine.ts'

/**
 * Rebuilds each derived part whose definition in the code differs from the one that the database was last built with;
 * `meta` holds a hash of that definition. Otherwise it reads one row of `meta` for each part and changes nothing.
 * `report` receives how many parts are done, and the name of the one that is rebuilt next.
 */
export async function updateDerived(
  engine: Engine,
  report: (done: number, what: string) => void = () => undefined,
): Promise<void> {
  for (const [done, part] of engine.derived.entries()) {
    if (await isBuilt(engine, part)) continue
    report(done, part.name)
    await rebuild(engine, part)
  }
}

/** Whether the database was last built with this definition. */
export async function isBuilt({ db }: Engine, part: Derived): Promise<boolean> {
  const built = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', hashName(part))
    .executeTakeFirst()
  return built?.value === hashOf(part)
}

/**
 * A migration may replace a table, and the triggers and indexes of the old table disappear with it. So a migration also runs these
 * statements, unless its first line says that it replaces none: the hashes are deleted, and everything derived is rebuilt. With
 * 10,000,000 trips that takes more than ten minutes.
 */
export const forgetDerived = [`delete from meta where name like 'derived.%.hash'`]

const hashName = ({ name }: Derived) => `derived.${name}.hash`
/** The statements that drop what an older version created, one per line. The newer code may not know its names. */
const dropName = ({ name }: Derived) => `derived.${name}.drop`

function hashOf({ create, compute }: Derived): string {
  return createHash('sha256')
    .update(JSON.stringify([create, compute]))
    .digest('base64')
}

async function rebuild(engine: Engine, part: Derived): Promise<void> {
  const { create, drop, compute } = part
  await engine.db.transaction().execute(async (trx) => {
    await runAll(trx, engine.withoutTimeout)
    // Locks the row, so that of several processes that start at once one rebuilds and the others find the new hash.
    const { rows } = await sql<{
      value: string
    }>`insert into meta (name, value) values (${hashName(part)}, '')
      on conflict (name) do update set value = meta.value returning value`.execute(trx)
    if (rows[0]?.value === hashOf(part)) return
    const old = await trx
      .selectFrom('meta')
      .select('value')
      .where('name', '=', dropName(part))
      .executeTakeFirst()
    await runAll(trx, [...(old?.value.split('\n') ?? []), ...drop, ...compute, ...create])
    await trx
      .insertInto('meta')
      .values({ name: dropName(part), value: drop.join('\n') })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: drop.join('\n') }))
      .execute()
    await trx
      .updateTable('meta')
      .set({ value: hashOf(part) })
      .where('name', '=', hashName(part))
      .execute()
  })
}
