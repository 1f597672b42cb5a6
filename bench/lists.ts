import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { readConfig } from '../server/config.ts'
import type { Engine } from '../server/db/engine.ts'
import { openDatabase } from '../server/db/open.ts'
import { driver } from '../server/nouns/driver.ts'
import { listPage } from '../server/queries/list.ts'

/**
 * Compares the drivers list with the plain queries that it replaces (`count(*)`, `offset`, unindexed `like`), in one
 * run on the database that OMS_DATA or DATABASE_URL names. Times are medians in milliseconds. Between machines, compare
 * only the ratio.
 */
const rounds = 15
const engine = openDatabase(readConfig(process.env))
const total = await countOf(engine)
const deep = Math.min(10_000, Math.max(1, Math.floor(total / 50)))
const name = 'wanjala'

console.log(`${total.toLocaleString('en')} drivers on ${engine.name}, median of ${rounds}`)
await compare(
  'first page',
  () => ours(1),
  () => plain(1),
)
await compare(
  `page ${deep.toLocaleString('en')}`,
  () => ours(deep),
  () => plain(deep),
)
await compare(
  `search "${name}"`,
  () => ours(1, name),
  () => plain(1, name),
)
await engine.close()

function ours(page: number, s = '') {
  return listPage(engine, driver.source, { page, page_size: 50, s, phone: '', ordering: '', filter: '' }, Date.now())
}

async function plain(page: number, s = '') {
  const where = s ? sql`where drivers.search like ${`%${s}%`}` : sql``
  await sql`select count(*) from drivers ${where}`.execute(engine.db)
  await sql`select * from drivers left join vehicles on vehicles.driver_id = drivers.id
    ${where}
    order by drivers.id desc limit 50 offset ${(page - 1) * 50}`.execute(engine.db)
}

async function compare(what: string, a: () => Promise<unknown>, b: () => Promise<unknown>): Promise<void> {
  const [mine, theirs] = [await median(a), await median(b)]
  console.log(
    `${what.padEnd(20)} ${mine.toFixed(2).padStart(9)} ms   plain ${theirs.toFixed(2).padStart(9)} ms   ratio ${(theirs / mine).toFixed(1)}`,
  )
}

async function median(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    await run()
    if (round > 0) times.push(performance.now() - start)
  }
  return times.sort((x, y) => x - y)[Math.floor(times.length / 2)] ?? NaN
}

async function countOf(from: Engine): Promise<number> {
  const row = await from.db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'drivers')
    .executeTakeFirst()
  return row?.value ?? 0
}
