import { setImmediate } from 'node:timers/promises'
import type { SecondConnection } from '../db/bulk-dialect.ts'
import type { Engine } from '../db/engine.ts'
import { createBuffer } from './bulk.ts'
import { writeContent } from './content.ts'
import { createCustomers } from './customers.ts'
import { createDrivers } from './drivers.ts'
import { createInvites } from './invites.ts'
import { writeOffers } from './offers.ts'
import { createSimulation } from './simulation.ts'
import { writeSlots } from './slots.ts'
import { writeStaff } from './staff.ts'
import type { Size } from './world.ts'
import { createWorld } from './world.ts'

/**
 * Rows are buffered in memory and written when there are this many. Few enough to be garbage before V8 counts them as
 * long-lived, which takes much more memory.
 */
const batch = 2_000

/** The approximate number of rows to write. Each trip adds about two more rows. */
export function workOf({ customers, drivers, trips }: Size): number {
  return customers + 2 * drivers + 3 * trips
}

/** Writes every row of the domain, without the totals that `finish` computes. */
export async function fill(
  engine: Engine,
  size: Size,
  { now, passwordHash }: { now: number; passwordHash: string },
  report: (done: number, what: string) => void,
  second: Pick<SecondConnection, 'written' | 'filled'>,
): Promise<void> {
  const world = createWorld(size, now)
  const { write, waiting, flush, flushed } = await createBuffer(engine)
  let steps = 0
  /** While PostgreSQL writes what it was sent, this process makes the next rows. Now and then it has to look whether there is more to send. */
  const hasToLook = () => engine.remote && ++steps % 500 === 0
  const each = async (
    count: number,
    step: (id: number) => void,
    tables: readonly string[],
    afterwards: (id: number) => void,
  ) => {
    for (let id = 1; id <= count; id++) {
      step(id)
      if (hasToLook()) await setImmediate()
      if (waiting() < batch) continue
      await flush()
      await second.written(tables)
      afterwards(id)
    }
    await flush()
    await flushed()
    await second.filled(tables)
  }

  writeStaff(write, now, passwordHash)
  writeSlots(write)
  writeContent(world, write)
  await each(size.customers, createCustomers(world, write), ['customers'], (id) => report(id, 'customers'))
  const ofDrivers = ['drivers', 'vehicles']
  await each(size.drivers, createDrivers(world, write), ofDrivers, (id) =>
    report(size.customers + 2 * id, 'drivers'),
  )
  await each(size.customers, createInvites(world, write), ['driver_invites'], () => undefined)
  writeOffers(world, write)

  const people = size.customers + 2 * size.drivers
  await flush()
  report(people, 'trips')
  const step = createSimulation(world, write)
  for (let part = step(); part !== null; part = step()) {
    if (hasToLook()) await setImmediate()
    if (waiting() < batch) continue
    await flush()
    await second.written(['trips'])
    report(Math.round(people + part * 3 * size.trips), 'trips')
  }
  await flush()
  await flushed()
}
