import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { Analytics } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildBooking, buildCustomer, buildDriver, buildInvoice, buildTrip } from '../../support/factories.ts'
import { bootApp, read, useServer } from '../../support/server.ts'

const nothing = {
  cash_in_hand: 0,
  pending_reconciliation: 0,
  total_revenue: 0,
  total_amount: 0,
  total_driver_amount: 0,
  total_twende_amount: 0,
  total_riders: 0,
  total_customers: 0,
  total_completed_trips: 0,
  total_suspended_riders: 0,
  total_failed_trips: 0,
  total_bookings: 0,
  total_ongoing_bookings: 0,
  total_completed_bookings: 0,
  total_pending_bookings: 0,
  online_drivers: 0,
  percent_online_drivers: 0,
}

describe.each(engines)('the figures on %s', (name) => {
  const server = useServer(name)
  const figures = async () => read(await server().get('/api/v1/oms/analytics/'), Analytics)

  test('all figures of an empty database are zero (S7.2, S3.1)', async () => {
    expect(await figures()).toEqual(nothing)
  })

  describe('with a few trips, bookings and invoices', () => {
    beforeEach(async () => {
      const { engine } = server()
      const driver = { driver_id: 1 }
      await buildDriver(engine, { id: 1, online: 1, busy: 1 })
      await buildDriver(engine, { id: 2, online: 1 })
      await buildDriver(engine, { id: 3 })
      await buildDriver(engine, { id: 4, deleted: 1, online: 1 })
      await buildDriver(engine, { id: 5, deleted: 1 })
      const customer_id = (await buildCustomer(engine)).id
      await buildCustomer(engine)
      await buildTrip(engine, { ...driver, id: 1, status: 'Completed', cost: 100_050 })
      await buildTrip(engine, { ...driver, id: 2, status: 'Completed', cost: 25_000, driver_id: null })
      await buildTrip(engine, { ...driver, id: 3, status: 'Cancelled', cost: 7_777 })
      await buildTrip(engine, { ...driver, id: 4, status: 'Ongoing', cost: 40_000 })
      await buildTrip(engine, { ...driver, id: 5, status: 'Somewhere', cost: 3 })
      const booking = { customer_id }
      await buildBooking(engine, { ...booking, id: 1, status: 'Pending', amount: 600_000, paid: 1 })
      await buildBooking(engine, { ...booking, id: 2, status: 'Pending' })
      await buildBooking(engine, { ...booking, id: 3, status: 'Pending' })
      await buildBooking(engine, { ...booking, id: 4, status: 'Ongoing' })
      await buildBooking(engine, { ...booking, id: 5, status: 'Ongoing' })
      await buildBooking(engine, { ...booking, id: 6, status: 'Completed', amount: 150_000, paid: 1 })
      await buildBooking(engine, { ...booking, id: 7, status: 'Accepted', amount: 1 })
      await buildBooking(engine, { ...booking, id: 8, status: 'Not Started' })
      await buildInvoice(engine, { ...driver, id: 1, amount: 300_000, paid: 1 })
      await buildInvoice(engine, { ...driver, id: 2, amount: 20_000, paid: 1 })
      await buildInvoice(engine, { ...driver, id: 3, amount: 4_500 })
      await buildInvoice(engine, { ...driver, id: 4, amount: 99 })
    })

    const expected = {
      cash_in_hand: 3_200,
      pending_reconciliation: 45.99,
      total_revenue: 3_245.99,
      total_amount: 8_750.5,
      total_driver_amount: 7_175.41,
      total_twende_amount: 1_575.09,
      total_riders: 5,
      total_customers: 2,
      total_completed_trips: 2,
      total_suspended_riders: 2,
      total_failed_trips: 1,
      total_bookings: 8,
      total_ongoing_bookings: 2,
      total_completed_bookings: 1,
      total_pending_bookings: 3,
      online_drivers: 2,
      percent_online_drivers: 66.7,
    }

    test('each figure follows its definition (S3.1, S9.1; rulings, figures)', async () => {
      expect(await figures()).toEqual(expected)
    })

    test('the figures change when records change (S3.1)', async () => {
      const { db } = server().engine
      await db.updateTable('trips').set({ status: 'Completed' }).where('id', '=', 4).execute()
      await db.updateTable('trips').set({ status: 'Cancelled' }).where('id', '=', 2).execute()
      await db.updateTable('drivers').set({ deleted: 1 }).where('id', '=', 2).execute()
      await db.updateTable('drivers').set({ online: 1 }).where('id', '=', 3).execute()
      await db.updateTable('pre_bookings').set({ status: 'Ongoing', paid: 1 }).where('id', '=', 7).execute()
      await db.updateTable('pre_bookings').set({ status: 'Completed' }).where('id', '=', 4).execute()
      await db.updateTable('invoices').set({ paid: 1, date_paid: 1 }).where('id', '=', 3).execute()
      expect(await figures()).toEqual({
        ...expected,
        cash_in_hand: 3_245,
        pending_reconciliation: 0.99,
        total_amount: 8_900.51,
        total_driver_amount: 7_298.42,
        total_twende_amount: 1_602.09,
        total_suspended_riders: 3,
        total_failed_trips: 2,
        total_completed_bookings: 2,
        online_drivers: 2,
        percent_online_drivers: 100,
      })
    })

    test('the figures change when records are deleted (S3.1)', async () => {
      const { db } = server().engine
      for (const table of ['trips', 'pre_bookings', 'invoices', 'drivers', 'customers'] as const)
        await db.deleteFrom(table).execute()
      expect(await figures()).toEqual(nothing)
    })

    test('a driver who is suspended counts as suspended immediately, and no longer as online (S7.7, S3.1)', async () => {
      await server().post('/api/v1/oms/driver/1/suspend/')
      expect(await figures()).toMatchObject({
        total_riders: 5,
        total_suspended_riders: 3,
        online_drivers: 1,
        percent_online_drivers: 50,
      })
    })

    test('the percentage of online drivers is zero if all drivers are suspended', async () => {
      await server().engine.db.updateTable('drivers').set({ deleted: 1 }).execute()
      expect(await figures()).toMatchObject({ online_drivers: 0, percent_online_drivers: 0 })
    })
  })

  test('the commission is 18%, exact to the cent, and commission and driver’s share add up to the fare (S9.1)', async () => {
    const { engine } = server()
    const { id } = await buildTrip(engine, { status: 'Completed', cost: 0 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2_000_000_000_00 }), async (cost) => {
        await engine.db.updateTable('trips').set({ cost }).where('id', '=', id).execute()
        const answer = new Map(Object.entries(await figures()))
        const cents = (key: string) => Math.round(Number(answer.get(key)) * 100)
        expect(cents('total_amount')).toBe(cost)
        expect(cents('total_twende_amount')).toBe(Math.round((cost * 18) / 100))
        expect(cents('total_driver_amount') + cents('total_twende_amount')).toBe(cost)
      }),
      { numRuns: 50, seed: 918 },
    )
  })

  test('the key of the commission contains the configured product name (S3.1)', async () => {
    const { engine, headers } = server()
    const app = await bootApp(engine, { now: () => server().clock.now, config: { product: 'safari_cabs' } })
    const answer = read(await app.inject({ url: '/api/v1/oms/analytics/', headers }), Analytics)
    expect(answer).toMatchObject({ total_safari_cabs_amount: 0 })
    expect(answer).not.toHaveProperty('total_twende_amount')
    await app.close()
  })
})
