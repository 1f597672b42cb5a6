import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { nouns } from '../../../server/nouns.ts'
import { Capabilities, Page, TermCounts } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import {
  buildAttraction,
  buildBooking,
  buildCoupon,
  buildCustomer,
  buildDriver,
  buildInvite,
  buildInvoice,
  buildPromoCode,
  buildSos,
  buildTrip,
  buildVehicle,
} from '../../support/factories.ts'
import { read, readProblem, someTime, useServer } from '../../support/server.ts'

const Rows = Page(Type.Object({ id: Type.Integer() }))
const day = 24 * 60 * 60_000
/** `someTime` is 8:06 in Nairobi on this day. */
const today = '2026-03-04'

describe.each(engines)('the filter of a list on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  beforeAll(async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 1, fullname: 'Amina Yusuf', online: 1 })
    await buildDriver(engine, { id: 2, fullname: 'Brian Otieno', online: 1, busy: 1 })
    await buildDriver(engine, { id: 3, fullname: 'Brian Kamau', deleted: 1 })
    await buildCustomer(engine, { id: 1 })
    await buildCustomer(engine, { id: 2 })
    await buildVehicle(engine, { id: 1, driver_id: 2 })
    await buildVehicle(engine, { id: 2, driver_id: 1 })
    await buildTrip(engine, { id: 1, driver_id: 1, customer_id: 2 })
    await buildTrip(engine, { id: 2, driver_id: 1, customer_id: 1, status: 'Cancelled' })
    await buildTrip(engine, { id: 3, driver_id: 2, status: 'Ongoing' })
    await buildTrip(engine, { id: 4, status: 'Requested' })
    await buildBooking(engine, { id: 1, customer_id: 1, driver_id: 1, status: 'Not Started', paid: 1 })
    await buildBooking(engine, { id: 2, customer_id: 2, status: 'Pending' })
    await buildBooking(engine, {
      id: 3,
      customer_id: 1,
      appointment_date: someTime + day,
      status: 'Accepted',
      paid: 1,
    })
    await buildInvoice(engine, { id: 1, driver_id: 1, paid: 1 })
    await buildInvoice(engine, { id: 2, driver_id: 1, grace_end_date: someTime + 1 })
    await buildInvoice(engine, { id: 3, driver_id: 3, grace_end_date: someTime - day })
    await buildInvoice(engine, { id: 4, driver_id: 3, grace_end_date: someTime - 1 })
    await buildInvite(engine, { id: 1, driver_id: 1, customer_id: 2 })
    await buildInvite(engine, { id: 2, driver_id: 2, customer_id: 2 })
    await buildAttraction(engine, { id: 1 })
    await buildAttraction(engine, { id: 2, deleted: 1 })
    await buildCoupon(engine, { id: 1, valid_till: '2026-03-03' })
    await buildCoupon(engine, { id: 2, valid_till: today })
    await buildCoupon(engine, { id: 3, valid_till: null })
    await buildPromoCode(engine, { id: 1, customer_id: 1, valid_till: '2026-03-03', redemeed: 1 })
    await buildPromoCode(engine, { id: 2, customer_id: 2, valid_till: today })
    await buildSos(engine, { id: 1, trip_id: 1 })
    await buildSos(engine, { id: 2, trip_id: 3 })
  })

  const ids = async (list: string, query: string) =>
    read(await server().get(`/api/v1/oms/${list}/?${query}`), Rows).results.map(({ id }) => id)

  test.each([
    ['drivers', 'suspended', [3]],
    ['drivers', 'active', [2, 1]],
    ['drivers', 'online', [2, 1]],
    ['drivers', 'offline', [3]],
    ['drivers', 'busy', [2]],
    ['drivers', 'unpaid', [3, 1]],
    ['drivers', 'unpaid,online', [1]],
    ['drivers', ' online , busy ,', [2]],
    ['drivers', 'id:2', [2]],
    ['customers', 'id:1', [1]],
    ['vehicles', 'driver:2', [1]],
    ['trips', 'completed', [1]],
    ['trips', 'cancelled', [2]],
    ['trips', 'ongoing', [3]],
    ['trips', 'requested', [4]],
    ['trips', 'accepted', []],
    ['trips', 'driver:1', [2, 1]],
    ['trips', 'driver:1,customer:1', [2]],
    ['pre-bookings', 'not-started', [1]],
    ['pre-bookings', 'pending', [2]],
    ['pre-bookings', 'paid', [3, 1]],
    ['pre-bookings', 'unpaid', [2]],
    ['pre-bookings', 'driver:1', [1]],
    ['pre-bookings', 'customer:2', [2]],
    ['all-invoices', 'paid', [1]],
    ['all-invoices', 'unpaid', [4, 3, 2]],
    ['all-invoices', 'overdue', [4, 3]],
    ['all-invoices', 'overdue,driver:1', []],
    ['pre-bookings', 'tomorrow', [3]],
    ['driver-invites', 'driver:2', [2]],
    ['driver-invites', 'customer:2', [2, 1]],
    ['attractions/all', 'id:1', [1]],
    ['attractions/all', 'id:2', []],
    ['coupons', 'expired', [1]],
    ['coupons', 'running', [3, 2]],
    ['promo-codes', 'expired', [1]],
    ['promo-codes', 'running', [2]],
    ['promo-codes', 'redeemed', [1]],
    ['promo-codes', 'customer:2', [2]],
    ['sos-lists', 'driver:1', [1]],
    ['sos-lists', 'customer:2', [1]],
    ['drivers/1/trips', 'cancelled', [2]],
  ])('%s with %s has exactly the records to which every term applies', async (list, filter, expected) => {
    expect(await ids(list, `filter=${encodeURIComponent(filter)}`)).toEqual(expected)
  })

  test('search, order and pages hold within a filter', async () => {
    expect(await ids('drivers', 's=brian&filter=active')).toEqual([2])
    expect(await ids('drivers', 'filter=active&ordering=id')).toEqual([1, 2])
    const second = read(
      await server().get('/api/v1/oms/all-invoices/?filter=unpaid&page=2&page_size=2'),
      Rows,
    )
    expect([second.results.map(({ id }) => id), second.count, second.total_pages]).toEqual([[2], 3, 2])
  })

  test.each([
    ...['nope', 'driver:', 'driver:x', 'driver:0', 'driver:-1', 'driver:9007199254740993', 'driver:1e3'],
    ...['from:', 'from:2026-02-30', 'from:2026-3-4', 'to:7', 'from:2026-03-04T00:00', 'driver:2026-03-04'],
    ...['paid:1', 'PAID', '__proto__', 'toString', 'id', ',', "'; drop table invoices", ':', 'a\0b'],
  ])('the term “%s” is unknown and ignored, as an unknown ordering is', async (filter) => {
    expect(await ids('all-invoices', `filter=${encodeURIComponent(filter)}`)).toEqual([4, 3, 2, 1])
  })

  test('a filter of more than 200 characters is refused by name (reliability 27)', async () => {
    const answer = await server().get(`/api/v1/oms/trips/?filter=${'x'.repeat(201)}`)
    expect(Object.keys(readProblem(answer, 400).errors ?? {})).toEqual(['filter'])
  })

  test('every announced term filters every list that announces it', async () => {
    const { filters } = read(await server().get('/api/v1/oms/capabilities/'), Capabilities)
    for (const { plural, list } of nouns)
      for (const term of filters[plural] ?? []) {
        const value = term === 'from:' ? '2999-01-01' : term === 'to:' ? '1999-01-01' : '987654321'
        const filter = term.endsWith(':') ? term + value : term
        const all = await ids(list.path.slice(0, -1), '')
        const some = await ids(list.path.slice(0, -1), `filter=${filter}`)
        expect(all, `${plural} ${term}`).toEqual(expect.arrayContaining(some))
        if (term.endsWith(':')) expect(some, `${plural} ${term}`).toEqual([])
        // Both SOS logs are new.
        else if (term !== 'new') expect(some.length, `${plural} ${term}`).toBeLessThan(all.length)
      }
  })

  test('the counts of terms are those of their lists, also after changes', async () => {
    const compare = async () => {
      const counts = read(await server().get('/api/v1/oms/counts/'), TermCounts)
      for (const [plural, terms] of Object.entries(counts)) {
        const path = nouns.find((noun) => noun.plural === plural)?.list.path ?? ''
        for (const [term, count] of Object.entries(terms))
          expect(await ids(path.slice(0, -1), `filter=${term}`), `${plural} ${term}`).toHaveLength(count)
      }
      return counts
    }
    expect(await compare()).toEqual({
      drivers: { suspended: 1, active: 2, online: 2, offline: 1, busy: 1, unpaid: 2 },
      trips: { requested: 1, accepted: 0, ongoing: 1, completed: 1, cancelled: 1 },
      bookings: {
        ...{ pending: 1, accepted: 1, 'not-started': 1, ongoing: 0, completed: 0, cancelled: 0 },
        ...{ paid: 2, unpaid: 1 },
      },
      invoices: { paid: 1, unpaid: 3, overdue: 2 },
      promos: { redeemed: 1 },
      sos: { new: 2, handled: 0 },
    })
    await server().post('/api/v1/oms/driver/1/suspend/')
    await server().post('/api/v1/oms/sos/1/acknowledge/')
    expect(await compare()).toMatchObject({ drivers: { suspended: 2, active: 1 }, sos: { new: 1 } })
    await server().post('/api/v1/oms/driver/1/unfreeze/')
    await server().post('/api/v1/oms/sos/1/reopen/')
    expect(await compare()).toMatchObject({ sos: { new: 2 } })
  })
})
