import { fold } from '../fold.ts'
import { pickArea } from './areas.ts'
import { day, timeline } from './clock.ts'
import { personName, unusualName } from './names.ts'
import { phoneNumber } from './phones.ts'
import type { Random } from './random.ts'
import { seeded } from './random.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

/** Returns the time at which a customer joined. The index is the customer's id - 1. */
export function customerJoins({ size, now }: World): (index: number) => number {
  return timeline({ count: size.customers, span: 913 * day, growth: 1.35, rhythm: 'rides', now })
}

/** Returns a function that writes the customer with an id. */
export function createCustomers(world: World, write: Write): (id: number) => void {
  const { size, customers } = world
  const joinedAt = customerJoins(world)
  return (id) => {
    const random = seeded(seeds.customers, id)
    const sex = random.chance(0.5) ? 'female' : 'male'
    const fullname = unusualName('customers', id - 1, size.customers) ?? personName(random, sex)
    customers.area[id] = pickArea(random)
    write('customers', {
      id,
      fullname,
      phone_number: phoneNumber(size.drivers + id - 1),
      search: fold(fullname),
      date_joined: joinedAt(id - 1),
      wallet_balance: customerWallet(random),
      total_trips: 0,
      total_completed_trips: 0,
      total_failed_trips: 0,
    })
  }
}

/** A balance in cents: mostly 0, sometimes positive, rarely negative because of a cancellation charge. */
function customerWallet(random: Random): number {
  const kind = random.next()
  if (kind < 0.68) return 0
  if (kind < 0.95) return random.int(600) * 500
  return -1000 * (5 + random.int(40))
}
