import { expect, test } from 'vitest'
import { createCustomers } from '../../../server/demo/customers.ts'
import { createDrivers } from '../../../server/demo/drivers.ts'
import { createSimulation } from '../../../server/demo/simulation.ts'
import { sizeOf } from '../../../server/demo/size.ts'
import type { Write } from '../../../server/demo/world.ts'
import { createWorld } from '../../../server/demo/world.ts'

test('no step of the demo data makes more than 1,000 rows, so that a large fleet needs little memory (reliability 34)', () => {
  const now = Date.UTC(2026, 2, 4, 11, 22, 33, 444)
  const size = sizeOf(20_000, 60_000)
  const world = createWorld(size, now)
  const ignore: Write = () => undefined
  const [driver, customer] = [createDrivers(world, ignore), createCustomers(world, ignore)]
  for (let id = 1; id <= size.drivers; id++) driver(id)
  for (let id = 1; id <= size.customers; id++) customer(id)

  let rows = 0
  const invoicesAt = new Map<unknown, number>()
  const step = createSimulation(world, (table, row) => {
    rows++
    if (table !== 'invoices') return
    const at = row['invoice_date_added']
    invoicesAt.set(at, (invoicesAt.get(at) ?? 0) + 1)
  })
  let most = 0
  for (let before = 0; step() !== null; before = rows) most = Math.max(most, rows - before)

  // On some Mondays there are more invoices than that.
  expect(Math.max(...invoicesAt.values())).toBeGreaterThan(1_500)
  expect(most).toBeLessThanOrEqual(1_000)
}, 30_000)
