import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import type { TypedApp } from '../../../server/deps.ts'
import { noPagesAhead } from '../../../server/db/postgres.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { buildStaff } from '../../support/factories.ts'
import { bootApp, signIn, someTime } from '../../support/server.ts'

// The first statement of each call reads the session. A list then counts its records, finds the ids of the page and reads
// the rows of these ids.
const lists = [
  ...['drivers/', 'customers/', 'staff-users/', 'vehicles/', 'trips/', 'pre-bookings/', 'attractions/all/'],
  ...['all-invoices/', 'driver-invites/', 'blogs-adm/', 'promo-codes/', 'sos-lists/'],
].map((list): [string, number] => [list, 4])

const reads: [path: string, most: number][] = [
  ['capabilities/', 1],
  ['analytics/', 2],
  ['trends/?days=14', 4],
  // Counters, the invoices that are overdue, and the SOS logs that are new.
  ['counts/', 4],
  ['views/', 2],
  ...lists,
  // The users of the coupons come from another table.
  ['coupons/', 5],
  // One statement counts the records and finds the block of ids in which a later page begins.
  ['drivers/?page=5', 3],
  ['drivers/?page_size=1000', 4],
  ['drivers/?ordering=-wallet_balance', 4],
  ['drivers/?filter=suspended', 4],
  ['drivers/?s=wanj', 4],
  ['drivers/?phone=071', 4],
  ['trips/?filter=completed', 4],
  ['trips/?filter=driver:7', 4],
  ['all-invoices/?filter=overdue', 5],
  ['drivers/7', 2],
  ['drivers/7/trips/', 5],
  ['drivers/7/transactions/', 5],
]

describe.each(engines)('on %s', (name) => {
  let engine: Engine
  let app: TypedApp
  let headers: { authorization: string }
  let sent: string[] = []
  let restore = () => {}

  beforeAll(async () => {
    restore = noteStatements((text) => {
      // A new connection of the searches begins with it, whichever call needs the connection.
      if (text !== noPagesAhead()) sent.push(text)
    })
    engine = await openTestEngine(name)
    await loadDemo(engine, { drivers: 300, trips: 100, now: someTime, passwordHash: '' })
    app = await bootApp(engine, { now: () => someTime })
    headers = await signIn(app, await buildStaff(engine))
  })
  afterAll(async () => {
    await app.close()
    await engine.close()
    restore()
  })

  const ask = async (method: 'GET' | 'POST', path: string) => {
    sent = []
    const { statusCode } = await app.inject({
      method,
      url: `/api/v1/oms/${path}`,
      headers: { ...headers, ...(method === 'POST' && { 'idempotency-key': path }) },
    })
    expect(statusCode).toBe(200)
    expect(sent[0]).toContain('"sessions"')
    return sent
  }

  test.each(reads)('GET %s sends at most %i statements, however many rows it answers', async (path, most) => {
    expect((await ask('GET', path)).length, sent.join('\n')).toBeLessThanOrEqual(most)
  })

  test.each([
    ['drivers-export-excel/', ['image', 'id_front', 'id_back', 'license', 'search']],
    ['customers-export-excel/', ['search']],
  ])('GET %s reads no column that is not in the file (S7.9, S7.10)', async (path, others) => {
    const statements = await ask('GET', path)
    const rows = statements.filter((text) => text.includes('"total_completed_trips"'))
    expect(rows.length).toBeGreaterThan(0)
    for (const text of rows) for (const column of [...others, '*']) expect(text).not.toContain(column)
  })

  test.each(['driver/7/suspend/', 'driver/7/unfreeze/'])(
    'POST %s sends at most 8 statements: for the session, the key of the call, the record and the audit',
    async (path) => {
      expect((await ask('POST', path)).length, sent.join('\n')).toBeLessThanOrEqual(8)
    },
  )
})

/** Calls `note` with each statement that the drivers of both databases get from now on, and returns a function that ends this. */
function noteStatements(note: (text: string) => void): () => void {
  const noteUnlessFrame = (text: string) => {
    if (!/^(begin|commit|rollback)\b/.test(text)) note(text)
  }
  const restores = [
    ...['all', 'run', 'iterate'].map((method) =>
      onCall(StatementSync.prototype, method, (statement) => {
        if (statement instanceof StatementSync) noteUnlessFrame(statement.sourceSQL)
      }),
    ),
    onCall(pg.Client.prototype, 'query', (_client, [asked]) => {
      noteUnlessFrame(
        typeof asked === 'object' && asked && 'text' in asked ? String(asked.text) : String(asked),
      )
    }),
  ]
  return () => {
    for (const restore of restores) restore()
  }
}

/** Not a spy of Vitest, which is removed before each test. */
function onCall(
  prototype: object,
  method: string,
  tell: (self: unknown, given: unknown[]) => void,
): () => void {
  const original: unknown = Reflect.get(prototype, method)
  if (typeof original !== 'function') throw new Error(`There is no method ${method}.`)
  Reflect.set(prototype, method, function (this: unknown, ...given: unknown[]): unknown {
    tell(this, given)
    const answer: unknown = Reflect.apply(original, this, given)
    return answer
  })
  return () => {
    Reflect.set(prototype, method, original)
  }
}
