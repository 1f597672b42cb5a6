import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import { nouns } from '../../../server/nouns.ts'
import { search } from '../../../server/queries/search.ts'
import { openTestEngine } from '../../support/engines.ts'
import { someTime } from '../../support/server.ts'
import { plansOnSqlite, statementsOf } from '../../support/statements.ts'

let sqlite: Engine
let postgres: Engine

/** More customers than rows are compared without an index, so that the indexes answer too. */
const drivers = 1500

beforeAll(async () => {
  sqlite = await openTestEngine('sqlite')
  postgres = await openTestEngine('postgres')
  for (const engine of [sqlite, postgres])
    await loadDemo(engine, { drivers, trips: 4000, now: someTime, passwordHash: '' })
})
afterAll(async () => {
  await sqlite.close()
  await postgres.close()
})

const ask = async (engine: Engine, q: string, named: string[] = [], filter = '', limit = 5) =>
  (await search(engine, nouns, { q, nouns: named, filter, limit }, someTime)).results

test.each([
  ...['k', 'ka', 'ja mo', 'mo ja', 'wanj', 'ian tumanka', '0712', '712', '254', '345 678', 'ka 345', '1200'],
  ...['342h', 'kd', 'kda', 'k 3', 'a', 'an', 'ana', 'xq', 'jm', 'itt', 'kmw', 'tumnaka', 'kamua', 'wanjkiu'],
  ...['mombasa', 'in the', 'karibu', 'first', "o'b", 'o b', '-', "'", '%', '"', '*', '^', '#', '#7', '"a" b'],
  ...['عبد', '王秀英', 'wambui', 'nunez', 'twende', 'test twende', '\\', 'a:b', 'NEAR', 'AND', "'a':* | 'b'"],
])('“%s” finds the same on both engines, in the same order', async (q) => {
  for (const limit of [1, 5, 50]) {
    const found = await ask(sqlite, q, [], '', limit)
    expect(await ask(postgres, q, [], '', limit)).toEqual(found)
  }
})

test.each([
  ['ka', ['trip', 'booking', 'invoice', 'invite', 'sos', 'promo', 'vehicle'], ''],
  ['tumanka', ['trip', 'invoice', 'invite'], ''],
  ['0712', ['trip', 'sos'], ''],
  ['wa', [], 'suspended'],
  ['wa', ['driver'], 'offline,unpaid'],
  ['wan', ['driver'], 'offline'],
  ['ka', ['trip'], 'cancelled'],
  ['', ['invoice', 'trip', 'driver'], ''],
  ['', ['invoice'], 'overdue'],
])('“%s” among %j with the filter “%s” finds the same on both engines', async (q, named, filter) => {
  const found = await ask(sqlite, q, named, filter, 20)
  expect(found).not.toEqual([])
  expect(await ask(postgres, q, named, filter, 20)).toEqual(found)
})

test('frequent names are found newest first, rare ones wherever they are', async () => {
  const rows = await sqlite.db
    .selectFrom('customers')
    .select(['id', 'search'])
    .orderBy('id', 'desc')
    .execute()
  for (const word of ['k', 'ja', 'wan', 'muth', 'tumanka', 'x']) {
    const begins = rows.filter(({ search: text }) => text.split(/[ -]/).some((one) => one.startsWith(word)))
    const leads = begins.filter(({ search: text }) => text.startsWith(word))
    const rest = begins.filter((row) => !leads.includes(row))
    const expected = [...leads, ...rest].slice(0, 10).map(({ id }) => id)
    for (const engine of [sqlite, postgres]) {
      const found = await ask(engine, word, ['customer'], '', 10)
      const ids = found
        .filter(({ match }) => match === 'words')
        .map(({ record }) => 'id' in record && record.id)
      expect(ids, word).toEqual(expected)
    }
  }
})

const someQuery = fc.record({
  q: fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'ka',
          'kamau',
          'wanjiku',
          'ian',
          'tumnaka',
          'mo',
          'a',
          'k',
          '0712',
          '254',
          '345',
          'kda',
          '342h',
        ),
        fc.constantFrom('1200', '#7', 'itt', 'amau', "o'b", '-', 'first', 'ride', 'mombasa', 'twende', 'x'),
        fc.stringMatching(/^[a-z0-9]{1,4}$/),
      ),
      { maxLength: 3 },
    )
    .map((words) => words.join(' ')),
  named: fc.subarray(nouns.map(({ name }) => name)),
  filter: fc.constantFrom(
    '',
    '',
    '',
    'suspended',
    'offline',
    'busy,online',
    'cancelled',
    'unpaid',
    'expired',
    'id:7',
  ),
  limit: fc.constantFrom(1, 5, 50),
})

test('one statement for all ways of a noun finds the same as one for each way', async () => {
  await fc.assert(
    fc.asyncProperty(someQuery, async ({ q, named, filter, limit }) => {
      const expected = await ask(sqlite, q, named, filter, limit)
      for (const engine of [sqlite, postgres])
        for (const remote of [true, false])
          expect(await ask({ ...engine, remote }, q, named, filter, limit)).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

test('PostgreSQL gets one statement to find the records of a noun, and one to read them', async () => {
  const count = async (q: string) => (await statementsOf(postgres, (seen) => ask(seen, q))).length
  const withText = nouns.filter(({ found }) => found.text !== undefined).length
  for (const q of ['ka', 'ian tumanka', 'itt', 'ja mo', '342h'])
    expect(await count(q), q).toBeLessThanOrEqual(2 * withText)
  for (const q of ['0712', '1200']) expect(await count(q), q).toBeLessThanOrEqual(2 * nouns.length)
  // Once more, after one statement for the words that may have been meant.
  expect(await count('tumnaka')).toBeLessThanOrEqual(3 * withText + 1)
})

test('SQLite looks a whole name up in the index of names, also within a filter', async () => {
  const plans = await plansOf(sqlite, 'wanjiku kamau', 'suspended')
  expect(plans.filter((plan) => plan.includes('drivers_search'))).toHaveLength(1)
})

/** For each statement of a search among drivers, how SQLite runs it. */
async function plansOf(engine: Engine, q: string, filter: string) {
  return plansOnSqlite(engine, await statementsOf(engine, (seen) => ask(seen, q, ['driver'], filter)))
}

test('initials are found from any word on, in names of up to eight words and longer ones', async () => {
  const words = ['zazu', 'xola', 'qamar', 'zuri', 'xena', 'quma', 'zain', 'xanti', 'qasim', 'zola']
  for (const engine of [sqlite, postgres])
    for (const count of [2, 8, 9, 10]) {
      const name = words.slice(0, count).join(' ')
      await engine.db
        .updateTable('customers')
        .set({ fullname: name, search: name })
        .where('id', '=', 7)
        .execute()
      for (let from = 0; from + 2 <= count; from++) {
        const letters = words.slice(from, Math.min(from + 6, count)).map(([letter = '']) => letter)
        const found = await ask(engine, letters.join(''), ['customer'])
        expect(
          found.map(({ match, record }) => [match, 'id' in record && record.id]),
          `${letters.join('')} of ${name}`,
        ).toContainEqual(['words', 7])
      }
    }
})
