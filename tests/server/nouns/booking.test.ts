import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildBooking, buildSlot } from '../../support/factories.ts'
import { read, useServer } from '../../support/server.ts'

describe.each(engines)('bookings on %s', (name) => {
  const server = useServer(name)

  test('a booking keeps its price when the price of its slot changes (S3.8)', async () => {
    const { engine } = server()
    const slot = await buildSlot(engine, { name: 'Half day', amount: 600_000 })
    await buildBooking(engine, { slot_id: slot.id, amount: 600_000 })
    await engine.db.updateTable('slots').set({ amount: 1 }).execute()
    const [booking] = read(await server().get('/api/v1/oms/pre-bookings/'), Page(Type.Unknown())).results
    expect(booking).toMatchObject({ slot: { name: 'Half day', amount: 6000 } })
  })
})
