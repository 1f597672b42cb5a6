import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import type { PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { every } from '../../../server/db/ids.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { openReader } from '../../../server/db/sqlite-reader.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { driver } from '../../../server/nouns/driver.ts'
import { trip } from '../../../server/nouns/trip.ts'
import { rememberRequests } from '../../../server/waiting.ts'
import { buildDriver, buildTrip } from '../../support/factories.ts'
import { statementsOf } from '../../support/statements.ts'
import { someTime } from '../../support/server.ts'

const everything = { page: 1, page_size: 50, s: '', phone: '', ordering: '', filter: '' }

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reader-'))
  engine = openSqlite(join(folder, 'oms.db'))
  await migrate(engine)
  await buildDriver(engine, { fullname: 'Wanjiku Kamau' })
  await buildTrip(engine, { start_name: 'Karen' })
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** The names of questions in the order in which they are answered. */
function inOrder() {
  const answered: string[] = []
  const ask = async (name: string, question: Promise<unknown>) => {
    await question
    answered.push(name)
  }
  return { answered, ask }
}

test('pages and changes are answered while a search, a filter or a sorted list is under way (reliability 34)', async () => {
  const { answered, ask } = inOrder()
  await Promise.all([
    ask('search', trip.list.page(engine, { ...everything, s: 'k' }, someTime)),
    ask('filter', trip.list.page(engine, { ...everything, filter: 'completed' }, someTime)),
    ask('sorted', driver.list.page(engine, { ...everything, ordering: 'fullname' }, someTime)),
    ask('page', driver.list.page(engine, everything, someTime)),
    ask('change', engine.db.updateTable('drivers').set({ busy: 1 }).execute()),
  ])
  expect(answered.slice(0, 2).sort()).toEqual(['change', 'page'])
  expect(answered).toHaveLength(5)
})

test('a search sees every change that was committed before it (S7.7)', async () => {
  for (let amount = 1; amount <= 200; amount++) {
    await engine.db.updateTable('drivers').set({ wallet_balance: amount }).execute()
    const { rows } = await sql`select wallet_balance from drivers`.execute(engine.reading)
    expect(rows).toEqual([{ wallet_balance: amount }])
  }
})

test('the threads of searches cannot change anything', async () => {
  await expect(sql`delete from drivers`.execute(engine.reading)).rejects.toThrow('readonly')
  await expect(sql`pragma journal_mode = delete`.execute(engine.reading)).rejects.toThrow()
  expect(await driver.list.page(engine, everything, someTime)).toMatchObject({ count: 1 })
})

test('an error of a thread has the code of SQLite, and the next search is answered', async () => {
  await expect(sql`select * from nowhere`.execute(engine.reading)).rejects.toMatchObject({ errcode: 1 })
  expect(await driver.list.page(engine, { ...everything, s: 'wa' }, someTime)).toMatchObject({ count: 1 })
})

/** About a third of a second of work for a thread, for each million. */
const counting = (n: number) =>
  sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${n}) select max(n) as n from numbers`

test('filtered and sorted lists do not wait for searches (reliability 34)', async () => {
  const { answered, ask } = inOrder()
  await Promise.all([
    ...Array.from({ length: 4 }, () => ask('search', counting(1_000_000).execute(engine.searching))),
    ask('filter', trip.list.page(engine, { ...everything, filter: 'completed' }, someTime)),
    ask('days', trip.list.page(engine, { ...everything, filter: 'from:2026-01-01' }, someTime)),
    ask('sorted', driver.list.page(engine, { ...everything, ordering: 'fullname' }, someTime)),
  ])
  expect(answered.slice(-2)).toEqual(['search', 'search'])
})

test.each(['searching', 'reading'] as const)(
  'a short statement does not wait for a long one, %s (reliability 34)',
  async (connection) => {
    const answered: string[] = []
    const ask = async (name: string, n: number) => {
      await counting(n).execute(engine[connection])
      answered.push(name)
    }
    await Promise.all([ask('long', 2_000_000), ask('short', 10), ask('short', 10)])
    expect(answered).toEqual(['short', 'short', 'long'])
  },
)

test('the matches of a part of a name are counted on a thread, and only if they do not fit on the page (S3.17, reliability 34)', async () => {
  for (const fullname of ['Amina Kiptoo', 'Brian Kiptanui']) await buildDriver(engine, { fullname })
  const onThreads: string[] = []
  const plugin = {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => {
      onThreads.push(engine.db.getExecutor().compileQuery(node, queryId).sql)
      return node
    },
    transformResult: ({ result }: PluginTransformResultArgs) => Promise.resolve(result),
  }
  const watched = { ...engine, reading: engine.reading.withPlugin(plugin) }
  const find = (page_size: number) =>
    driver.list.page(watched, { ...everything, page_size, s: 'kipt' }, someTime)
  expect(await find(50)).toMatchObject({ count: 2 })
  expect(onThreads).toEqual([])
  expect(await find(1)).toMatchObject({ count: 2, total_pages: 2 })
  expect(onThreads).toEqual([expect.stringMatching(/^select count.* match \?\) as found$/)])
})

test('on Linux, threads of searches leave the processors to the other threads (reliability 34)', async () => {
  const nicenessOf = (thread: string) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])
  }
  await Promise.all([counting(10).execute(engine.reading), counting(10).execute(engine.searching)])
  const isLinux = existsSync('/proc/self/task')
  expect(isLinux ? readdirSync('/proc/self/task').map(nicenessOf) : [10]).toContain(10)
  expect(getPriority()).toBe(0)
})

test.skipIf(process.platform !== 'linux')(
  'the threads of a process with a higher niceness keep it: only root could lower it',
  () => {
    const program = join(folder, 'nice.ts')
    writeFileSync(
      program,
      `import { readdirSync } from 'node:fs'
      import { getPriority } from 'node:os'
      import { openSqlite } from '${resolve('server/db/sqlite.ts')}'
      const engine = openSqlite('${join(folder, 'nice.db')}')
      for (const db of [engine.reading, engine.searching]) await db.selectNoFrom((is) => is.lit(1).as('n')).execute()
      console.log(...new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))))
      await engine.close()`,
    )
    const { stdout, stderr } = spawnSync('nice', ['-n', '5', process.execPath, program], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['5 10\n', ''])
  },
)

test('a statement whose thread cannot start fails, and the next one is answered by another thread', async () => {
  const file = join(folder, 'later.db')
  const reader = openReader(file, { threads: 1, niceness: 0, flushed: () => Promise.resolve() })
  const read = () => sql`select 1 as n`.execute(reader)
  const failed = await Promise.allSettled([read(), read()])
  for (const one of failed)
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'unable to open database file' } })
  await openSqlite(file).close()
  expect((await read()).rows).toEqual([{ n: 1 }])
  await reader.destroy()
})

test('a search whose client has gone away before its turn is not run (reliability 34)', async () => {
  const app = Fastify({ forceCloseConnections: true })
  rememberRequests(app)
  const [begun, outcomes]: [string[], string[]] = [[], []]
  app.get('/:name', async ({ url }) => {
    begun.push(url)
    const search = counting(10).execute(engine.searching)
    outcomes.push(
      await search.then(
        () => `${url} is answered`,
        (error: unknown) => `${url}: ${String(error)}`,
      ),
    )
    return {}
  })
  try {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const others = [1, 2].map(() => counting(2_000_000).execute(engine.searching))
    const leaving = new AbortController()
    const left = fetch(`${address}/leaves`, { signal: leaving.signal }).catch(() => 'left')
    const stayed = fetch(`${address}/stays`)
    await vi.waitUntil(() => begun.length === 2)
    leaving.abort()
    expect(await left).toBe('left')
    expect((await stayed).status).toBe(200)
    await Promise.all(others)
    await vi.waitUntil(() => outcomes.length === 2)
    expect(outcomes.sort()).toEqual([
      '/leaves: Error: The client closed the connection.',
      '/stays is answered',
    ])
  } finally {
    await app.close()
  }
})

test('a search under way ends when its client goes away, and the thread answers the next one (reliability 24)', async () => {
  const app = Fastify({ forceCloseConnections: true })
  rememberRequests(app)
  const outcomes: string[] = []
  const long = sql`with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < 40000000)
    select count(*) as n from numbers where ${every(engine.whileAsked('id'))}`
  app.get('/', async () => {
    const search = long.execute(engine.searching)
    outcomes.push(
      await search.then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    )
    return {}
  })
  try {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const leaving = new AbortController()
    // As many as there are threads for searches, which have to be there already.
    await Promise.all([1, 2].map(() => counting(1_000_000).execute(engine.searching)))
    const left = [1, 2].map(() => fetch(address, { signal: leaving.signal }).catch(() => 'left'))
    await wait(300)
    expect(outcomes).toEqual([])
    leaving.abort()
    expect(await Promise.all(left)).toEqual(['left', 'left'])
    expect((await counting(10).execute(engine.searching)).rows).toEqual([{ n: 10 }])
    await vi.waitUntil(() => outcomes.length === 2)
    expect(outcomes).toEqual([1, 2].map(() => 'Error: The client closed the connection.'))
  } finally {
    await app.close()
  }
})

test('every statement of a search that can be long can be ended (reliability 24)', async () => {
  // Few words are found so quickly that the search need not be ended.
  await buildDriver(engine, { fullname: Array.from({ length: 60 }, (_, at) => `Wan${at}ka`).join(' ') })
  const searches = [
    (engine: Engine) => trip.list.page(engine, { ...everything, s: 'ka' }, someTime),
    (engine: Engine) => trip.list.page(engine, { ...everything, s: 'kar' }, someTime),
    (engine: Engine) => trip.list.page(engine, { ...everything, s: 'ka', filter: 'completed' }, someTime),
    (engine: Engine) => trip.list.page(engine, { ...everything, s: 'karen ro' }, someTime),
    (engine: Engine) => driver.list.page(engine, { ...everything, s: 'wa' }, someTime),
    (engine: Engine) => driver.list.page(engine, { ...everything, s: 'wan ka' }, someTime),
    (engine: Engine) => driver.list.page(engine, { ...everything, s: 'wanj ka' }, someTime),
    (engine: Engine) => driver.list.page(engine, { ...everything, s: 'wanj ka', filter: 'online' }, someTime),
    (engine: Engine) =>
      driver.list.page(engine, { ...everything, s: 'wanjiku', ordering: 'fullname' }, someTime),
  ]
  const statements = (await Promise.all(searches.map((search) => statementsOf(engine, search)))).flat()
  statements.push(
    ...(await statementsOf(engine, ({ db }) =>
      sql`select id from drivers
    where ${engine.contains('drivers', 'search', ['a', 'b'])}`.execute(db),
    )),
  )
  // Each of their parts that reads an index of texts, the trips of people, or every row. Not those that only count the matches of an
  // index, which takes 31 ms for 1,000,000.
  const parts = statements
    .flatMap((one) => one.sql.split(/\bselect /))
    .filter(
      (part) =>
        / match |"(driver|customer)_id" in| like |^count.* where /.test(part) &&
        !/vocabulary|1 = 0|match \?\) as found$/.test(part),
    )
  expect(parts.length).toBeGreaterThan(25)
  expect(parts.filter((part) => !part.includes('still_asked()'))).toEqual([])
})
