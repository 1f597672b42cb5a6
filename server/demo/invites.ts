import { customerJoins } from './customers.ts'
import { joinedSoFar } from './dispatch.ts'
import { driverJoins } from './drivers.ts'
import { seeded } from './random.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

/** Returns a function that writes the invitation of a customer, if a driver invited them. Call it in order of ids. */
export function createInvites(world: World, write: Write): (customer: number) => void {
  const joinedAt = customerJoins(world)
  const drivers = joinedSoFar(driverJoins(world), world.size.drivers)
  let count = 0
  return (customer) => {
    const random = seeded(seeds.customers, -customer)
    if (!random.chance(0.12)) return
    const created_at = joinedAt(customer - 1)
    const driver_id = 1 + random.int(drivers(created_at))
    write('driver_invites', { id: ++count, driver_id, customer_id: customer, created_at })
  }
}
