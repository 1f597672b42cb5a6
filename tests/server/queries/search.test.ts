import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../server/db/migrate.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { nouns } from '../../../server/nouns.ts'
import { search } from '../../../server/queries/search.ts'
import { Page, SearchAnswer } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
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
  buildSos,
  buildStaff,
  buildTrip,
  buildVehicle,
} from '../../support/factories.ts'
import { bootApp, read, readProblem, useServer } from '../../support/server.ts'

const oms = '/api/v1/oms'

describe.each(engines)('the search over everything on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  beforeAll(async () => {
    const { engine } = server()
    const driver = (id: number, fullname: string, phone_number: string, more = {}) =>
      buildDriver(engine, { id, fullname, phone_number, ...more })
    await driver(1, 'Ian Tajeu Tumanka', '254712345678')
    await driver(2, 'Kamau Njoroge', '254733000111')
    await driver(3, 'Wanjiku Kamau', '0712999888', { deleted: 1 })
    await driver(4, "Siobhán O'Brien-D'Souza", '+447700900123')
    await driver(1200, 'Zoë Wañjikü', '254110120055')
    await buildCustomer(engine, { id: 2, fullname: 'Peter Kamau', phone_number: '254712345678' })
    await buildCustomer(engine, { id: 5, fullname: 'Kamau Otieno', phone_number: '254722555666' })
    await buildCustomer(engine, { id: 6, fullname: 'Grace Atieno', phone_number: '+254701888555' })
    await buildCustomer(engine, { id: 1200, fullname: 'Åsa Njeri', phone_number: '254799887766' })
    await buildVehicle(engine, { id: 7, driver_id: 1, registration: 'KDA 342H' })
    await buildVehicle(engine, { id: 8, driver_id: 2, registration: 'KMGA-123B' })
    await buildTrip(engine, { id: 1200, driver_id: 2, customer_id: 5 })
    await buildTrip(engine, { id: 1201, driver_id: 1, customer_id: 5, status: 'Cancelled' })
    await buildTrip(engine, { id: 1202, driver_id: 4, customer_id: 1200 })
    await buildBooking(engine, { id: 41, customer_id: 2, driver_id: null })
    await buildInvoice(engine, { id: 1200, driver_id: 3 })
    await buildInvite(engine, { id: 61, driver_id: 1, customer_id: 5 })
    await buildAttraction(engine, { id: 71, name: 'Fort Jesus' })
    await buildAttraction(engine, { id: 72, name: 'Fort Jesus Kamau', deleted: 1 })
    await buildBlog(engine, { id: 81, title: 'Coast food', sub_title: 'Swahili' })
    await buildCoupon(engine, { id: 101, code: 'KARIBU-10' })
    await buildPromoCode(engine, { id: 111, code: 'TWENDE1', title: 'First ride', customer_id: 5 })
    await buildSos(engine, { id: 121, trip_id: 1200 })
    await buildStaff(engine, { id: 91, email: 'grace.wambui@twende.test' })
  })

  const ask = async (query: Record<string, string>) =>
    read(await server().get(`${oms}/search/?${new URLSearchParams(query).toString()}`), SearchAnswer).results
  /** `exact driver 1`. */
  const found = async (query: Record<string, string>) =>
    (await ask(query)).map(({ match, noun, record }) => `${match} ${noun} ${String(idOf(record))}`)

  test.each(['1200', '#1200', ' 1200 '])(
    '“%s” finds every record with the id, in a fixed order',
    async (q) => {
      const exact = (await found({ q })).filter((one) => one.startsWith('exact'))
      expect(exact).toEqual([
        ...['exact driver 1200', 'exact customer 1200', 'exact invoice 1200', 'exact trip 1200'],
      ])
    },
  )

  test.each(['driver', 'customer', 'invoice', 'trip', 'booking', 'invite', 'sos', 'promo', 'staff'])(
    'an id with # is looked up among the records of %s alone',
    async (nouns) => {
      const has1200 = ['driver', 'customer', 'invoice', 'trip'].includes(nouns)
      expect(await found({ q: '#1200', nouns })).toEqual(has1200 ? [`exact ${nouns} 1200`] : [])
    },
  )

  test.each([
    ['KDA 342H', ['exact vehicle 7', 'exact driver 1']],
    ['kda342h', ['exact vehicle 7', 'exact driver 1']],
    ['kda-342 h', ['exact vehicle 7', 'exact driver 1']],
    ['kmga 123b', ['exact vehicle 8', 'exact driver 2']],
    ['342h', ['words vehicle 7']],
    ['kda', ['words vehicle 7']],
    ['342h kda', ['words vehicle 7']],
    ['a34', ['part vehicle 7']],
  ])('the plate “%s” finds %j', async (q, expected) => {
    expect(await found({ q })).toEqual(expected)
  })

  test.each([
    ...['0712345678', '712 345 678', '+254712345678', '00254712345678', '254712345678', '+254 712-345-678'],
    ...['tel:+254712345678', '(0712) 345 678', '0712.345.678', '+254 (0) 712 345678'],
  ])('the whole phone number “%s” finds its owners', async (q) => {
    expect(await found({ q })).toEqual(['exact customer 2', 'exact driver 1'])
  })

  test('a phone number that is stored in another form is found too', async () => {
    expect(await found({ q: '254712999888' })).toEqual(['exact driver 3'])
    expect(await found({ q: '+44 7700 900123' })).toEqual(['exact driver 4'])
    expect(await found({ q: '0701888555' })).toEqual(['exact customer 6'])
    for (const q of ['0701 888', '254701888', '+254 701 888'])
      expect(await found({ q }), q).toEqual(['words customer 6'])
  })

  test.each([
    ['0712', ['words driver 3', 'words customer 2', 'words driver 1']],
    ['345 678', ['words customer 2', 'words driver 1']],
    ['ian 345', ['words driver 1']],
    ['12', []],
  ])('the digits “%s” find phone numbers from three digits on', async (q, expected) => {
    expect(await found({ q, nouns: 'driver,customer' })).toEqual(expected)
  })

  test.each([
    ['ian tajeu tumanka', ['exact driver 1']],
    ['ian tumanka', ['words driver 1']],
    ['tumanka ian', ['words driver 1']],
    ['TUM', ['words driver 1']],
    ['wanjiku', ['words driver 3', 'words driver 1200']],
    ['kamau', ['words customer 5', 'words driver 2', 'words driver 3', 'words customer 2']],
    ['obrien', ['words driver 4']],
    ["o'brien d'souza", ['words driver 4']],
    ['dsouza siobhan', ['words driver 4']],
    ['itt', ['words driver 1']],
    ['tt', ['words driver 1']],
    ['it', ['words driver 1']],
    ['amau', ['part customer 5', 'part driver 3', 'part driver 2', 'part customer 2']],
    ['anka ian', ['part driver 1']],
    ['tumnaka', ['typo driver 1']],
    ['tumanak', ['typo driver 1']],
    ['tumaka', ['typo driver 1']],
    ['tumankka', ['typo driver 1']],
    ['tymanka', ['typo driver 1']],
    ['ian tumnaka', ['typo driver 1']],
    ['tunmaka', []],
    ['fort jesus', ['exact attraction 71']],
    ['fo je', ['words attraction 71']],
    ['coast', ['words blog 81']],
    ['coast food', ['exact blog 81']],
    ['karibu-10', ['exact coupon 101']],
    ['karibu', ['words coupon 101']],
    ['twende1', ['exact promo 111']],
    ['first ride', ['exact promo 111']],
    ['wambui', ['words staff 91']],
    ['grace.wambui@twende.test', ['exact staff 91']],
    ['%', []],
    ['"', []],
  ])('“%s” finds %j, best first', async (q, expected) => {
    expect(await found({ q })).toEqual(expected)
  })

  test.each([
    ['kamau', 'trip', ['words trip 1201', 'words trip 1200']],
    ['ian', 'trip', ['words trip 1201']],
    ['kamau', 'booking', ['words booking 41']],
    ['kamau', 'invoice', ['words invoice 1200']],
    ['tumanka', 'invite', ['words invite 61']],
    ['otieno', 'promo', ['words promo 111']],
    ['ian', 'vehicle', ['words vehicle 7']],
    ['njoroge', 'sos', ['words sos 121']],
    ['0722555666', 'trip', ['words trip 1201', 'words trip 1200']],
  ])('“%s” finds the %ss of the people of that name where they are asked for', async (q, noun, expected) => {
    expect(await found({ q, nouns: noun })).toEqual(expected)
    expect((await found({ q })).filter((one) => one.includes(` ${noun} `))).toEqual([])
  })

  test('without a text the newest records of the nouns come, within the filter', async () => {
    expect(await found({ nouns: 'trip', limit: '2' })).toEqual(['words trip 1202', 'words trip 1201'])
    expect(await found({ nouns: 'trip', filter: 'cancelled' })).toEqual(['words trip 1201'])
    expect(await found({ nouns: 'attraction' })).toEqual(['words attraction 71'])
    expect(await found({ q: '  ' })).toEqual([])
  })

  test('a filter leaves out the nouns that do not know all of its terms', async () => {
    expect(await found({ q: 'kamau', filter: 'suspended' })).toEqual(['words driver 3'])
    expect(await found({ q: '1200', filter: 'driver:2' })).toEqual(['exact trip 1200'])
    expect(await found({ q: 'kamau', filter: 'nope' })).toEqual([])
  })

  test('limit is per noun', async () => {
    expect(await found({ q: 'kamau', limit: '1' })).toEqual(['words customer 5', 'words driver 2'])
  })

  test('a record is the row of its list, and unknown nouns find nothing', async () => {
    for (const { name: noun, list } of nouns) {
      const { results } = read(await server().get(`${oms}/${list.path}`), Page(Type.Unknown()))
      const records = (await ask({ nouns: noun, limit: '50' })).map(({ record }) => record)
      expect(records, noun).toEqual(results)
    }
    expect(await found({ q: 'kamau', nouns: 'nope,__proto__' })).toEqual([])
  })

  test('a deleted record is not found, and a renamed one by its new name only', async () => {
    const { engine } = server()
    const { id } = await buildAttraction(engine, { name: 'Uhuru Gardens' })
    expect(await found({ q: 'uhuru' })).toEqual([`words attraction ${id}`])
    await server().send(`${oms}/attractions/all/${id}/`, { name: 'Freedom Gardens' })
    expect(await found({ q: 'uhuru' })).toEqual([])
    expect(await found({ q: 'freedom' })).toEqual([`words attraction ${id}`])
    await server().send(`${oms}/attractions/all/${id}/`, { deleted: true })
    expect(await found({ q: 'freedom' })).toEqual([])
  })

  test('a text leads with its first word also after a dash or a dot', async () => {
    for (const [id, title] of ['Mara at dawn', '…Mara and back', '- Mara by night'].entries())
      await buildBlog(server().engine, { id: 82 + id, title })
    for (const limit of [1, 2, 3])
      expect(await found({ q: 'mara', nouns: 'blog', limit: String(limit) })).toEqual(
        ['words blog 84', 'words blog 83', 'words blog 82'].slice(0, limit),
      )
  })

  test('a token is needed', async () => {
    const app = await bootApp(server().engine)
    readProblem(await app.inject(`${oms}/search/?q=ian`), 401)
    await app.close()
  })

  test('NUL and texts of more than 200 characters are refused by name, other values never fail', async () => {
    for (const parameter of ['q', 'nouns', 'filter']) {
      const nul = await server().get(`${oms}/search/?${parameter}=a%00b`)
      expect(Object.keys(readProblem(nul, 400).errors ?? {})).toEqual([parameter])
      const long = await server().get(`${oms}/search/?${parameter}=${'x'.repeat(201)}`)
      expect(Object.keys(readProblem(long, 400).errors ?? {})).toEqual([parameter])
    }
    for (const q of ['x', '%', '_', '\\', "'", '"', '*', '7', '🚕', 'ﷺ', '\u0301', 'a ', '-', '^', '#'])
      expect(Value.Check(Type.Array(Type.Unknown()), await ask({ q: q.repeat(200 / q.length) }))).toBe(true)
    for (const limit of ['0', '-1', 'x', '1e9', ''])
      expect((await ask({ nouns: 'driver', limit })).length).toBeGreaterThan(0)
  })
})

function idOf(record: object): unknown {
  return 'id' in record ? record.id : null
}

test('of a long text, SQLite compares one word with the names of people who do not have it', async () => {
  const engine = openSqlite(':memory:')
  await migrate(engine)
  for (let id = 1; id <= 10; id++) {
    await buildDriver(engine, { id })
    await buildInvoice(engine, { driver_id: id })
  }
  let compared = 0
  engine.raw.function('like', { varargs: true }, () => {
    compared++
    return 0
  })
  const q = Array.from({ length: 30 }, (_, nth) => `word${nth}`).join(' ')
  const { results } = await search(engine, nouns, { q, nouns: ['invoice'], filter: '', limit: 5 }, 0)
  expect(results).toEqual([])
  expect(compared).toBe(10)
  await engine.close()
})
