import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { nouns } from '../../../server/nouns.ts'
import { readAnalytics } from '../../../server/queries/analytics.ts'
import type { ListQuery } from '../../../server/queries/list.ts'
import { search } from '../../../server/queries/search.ts'
import { countTerms } from '../../../server/queries/term-counts.ts'
import { readTrends } from '../../../server/queries/trends.ts'
import { openTestEngine } from '../../support/engines.ts'
import {
  buildAttraction,
  buildBlog,
  buildBooking,
  buildCoupon,
  buildCustomer,
  buildDriver,
  buildInvite,
  buildInvoice,
  buildPromoCode,
  buildSlot,
  buildSos,
  buildTrip,
  buildVehicle,
} from '../../support/factories.ts'
import { seeded } from '../../support/random.ts'
import { someTime } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

let sqlite: Engine
let postgres: Engine

beforeAll(async () => {
  sqlite = await openTestEngine('sqlite')
  postgres = await openTestEngine('postgres')
  for (const engine of [sqlite, postgres]) await fill(engine, randomly(41))
})
afterAll(async () => {
  await sqlite.close()
  await postgres.close()
})

test('random pages of every list are the same on both engines', async () => {
  const random = randomly(42)
  for (let nth = 0; nth < repeats(300, 5000); nth++) {
    const { name, list } = random.one(nouns)
    const query = someQuery(random, list)
    const what = `${name} ${JSON.stringify(query)}`
    expect(await list.page(postgres, query, someTime), what).toEqual(await list.page(sqlite, query, someTime))
  }
})

test('random searches over everything find the same on both engines, in the same order', async () => {
  const random = randomly(43)
  for (let nth = 0; nth < repeats(60, 1000); nth++) {
    const named = random.below(2) ? [] : [random.one(nouns).name, random.one(nouns).name]
    const query = { q: someText(random), nouns: named, filter: '', limit: random.one([1, 5, 50]) }
    expect(await search(postgres, nouns, query, someTime), JSON.stringify(query)).toEqual(
      await search(sqlite, nouns, query, someTime),
    )
  }
})

test('figures, trends and counts of terms are the same on both engines', async () => {
  expect(await readAnalytics(postgres, 'twende')).toEqual(await readAnalytics(sqlite, 'twende'))
  for (const days of [1, 14, 90] as const)
    expect(await readTrends(postgres, days, someTime)).toEqual(await readTrends(sqlite, days, someTime))
  expect(await countTerms(postgres, nouns, someTime)).toEqual(await countTerms(sqlite, nouns, someTime))
})

function randomly(seed: number) {
  const next = seeded(seed)
  const below = (most: number) => Math.floor(next() * most)
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }
  return { below, one, flag: () => (below(3) === 0 ? (1 as const) : (0 as const)) }
}
type Random = ReturnType<typeof randomly>

const parts = [
  ...[
    'ng’ombe',
    "Ng'ombe",
    'ngʼombe',
    'Wañjikü',
    'Wanjiku',
    'Kamau',
    'ka',
    'K',
    'Łukasz',
    'ﬁlip',
    'İstanbul',
  ],
  ...[
    'ΣΊΣΥΦΟΣ',
    'Straße',
    '🚕',
    '🚕🚗',
    '陳大文',
    'محمد',
    '100%',
    'a_b',
    'a\\b',
    '"q"',
    'AND',
    'NEAR(x)',
    '*',
  ],
  ...[
    '^',
    '-',
    '–',
    '—',
    '…',
    '@',
    'x.y',
    'al-maawy',
    "O'Brien",
    "'",
    '’',
    '´',
    '½',
    'e\u0301',
    'm²',
    '\u200b',
  ],
  ...['1200', '0712', '712345', '+254', '254712', '٣', 'Westlands', 'x:y', '<b>', '{}', '(x)'],
]
const gaps = [' ', ' ', ' ', '  ', '\t', '\n', '\u00a0', '-', '', ', ', '/']
const numbers = [
  '254712345678',
  '+254712345678',
  '0712345678',
  '254112345678',
  '+447700900123',
  '0712 345 678',
]
const phones = [...numbers, '', '254', '0', '07', '0712', '712', '+', '00254 712', '+254 (0) 712 345 678']

function text({ below, one }: Random): string {
  return Array.from({ length: 1 + below(5) }, () => one(gaps) + one(parts)).join('')
}

/** Nothing, a text as those of the records, or a part of one. */
function someText(random: Random): string {
  const whole = text(random)
  const from = random.below(whole.length)
  const part = whole.slice(from, from + 1 + random.below(5)).toWellFormed()
  return random.one(['', whole, part, part]).trim()
}

function someQuery(random: Random, { terms, orderings }: (typeof nouns)[number]['list']): ListQuery {
  const { below, one } = random
  const term = () => {
    const name = one(terms)
    return name === 'from:' || name === 'to:'
      ? name + one(['2026-02-27', '2026-03-04', '2026-03-05'])
      : name.endsWith(':')
        ? `${name}${1 + below(40)}`
        : name
  }
  // PostgreSQL orders texts by its language.
  const ordering = one(orderings.filter((field) => field !== 'fullname' && field !== 'registration'))
  return {
    page: one([1, 1, 2, 3, 999]),
    page_size: one([1, 7, 50, 1000]),
    s: someText(random),
    phone: below(4) ? '' : one(phones),
    name: below(8) ? '' : someText(random),
    ordering: below(2) ? '' : one(['', '-']) + ordering,
    filter: below(2) ? '' : Array.from({ length: 1 + below(3) }, term).join(','),
  }
}

async function fill(engine: Engine, random: Random): Promise<void> {
  const { below, one, flag } = random
  const hour = 60 * 60_000
  const time = () => someTime + (below(60 * 48) - 50 * 48) * (hour / 2)
  const person = () => ({ fullname: text(random), phone_number: one(numbers), date_joined: time() })
  const validTill = () => one([null, '2026-03-03', '2026-03-04', '2026-04-01'])
  for (let id = 1; id <= 40; id++) {
    const state = { online: flag(), busy: flag(), deleted: flag(), wallet_balance: below(5) - 2 }
    await buildDriver(engine, { id, ...person(), ...state })
    await buildCustomer(engine, { id, ...person() })
    const registration = one(['KDA 342H', 'kda342h', 'KMGA-123B', text(random)])
    await buildVehicle(engine, { id, driver_id: id, registration })
  }
  const slot_id = (await buildSlot(engine)).id
  for (let id = 1; id <= 80; id++) {
    const [driver_id, customer_id] = [1 + below(40), 1 + below(40)]
    await buildTrip(engine, {
      ...{ id, driver_id: one([driver_id, driver_id, null]), customer_id, created_at: time() },
      ...{ start_name: one(['Westlands', 'Sarit Centre', text(random)]), destination_name: text(random) },
      ...{ notes: text(random), status: one(['Requested', 'Ongoing', 'Completed', 'Cancelled']) },
      cost: below(100_000),
    })
    const paid = flag()
    await buildInvoice(engine, {
      ...{ id, driver_id, paid, date_paid: paid ? time() : null, amount: below(100_000) },
      ...{ invoice_date_added: time(), grace_end_date: time() },
    })
    const booking = { status: one(['Pending', 'Accepted', 'Not Started', 'Completed']), paid: flag() }
    const times = { created_at: time(), appointment_date: time() }
    await buildBooking(engine, { id, driver_id, customer_id, slot_id, ...booking, ...times })
    await buildInvite(engine, { id, driver_id, customer_id, created_at: time() })
    await buildSos(engine, { id, trip_id: id, created_at: time(), handled_at: flag() ? time() : null })
    const offer = { id, code: text(random), valid_till: validTill(), deleted: flag() }
    await buildCoupon(engine, { ...offer, users: [customer_id] })
    await buildPromoCode(engine, { ...offer, title: text(random), customer_id, redemeed: flag() })
    await buildBlog(engine, { id, title: text(random), sub_title: text(random), deleted: flag() })
    await buildAttraction(engine, { id, name: text(random), deleted: flag() })
  }
}
