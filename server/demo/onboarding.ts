import type { Agenda, Source } from './agenda.ts'
import { day } from './clock.ts'
import { driverJoins } from './drivers.ts'
import type { Invoices, Purpose } from './invoices.ts'
import { seeded } from './random.ts'
import type { World } from './world.ts'
import { seeds } from './world.ts'

/** Charges some drivers an onboarding or branding fee after they joined. */
export function createOnboarding(world: World, agenda: Agenda, invoices: Invoices): Source {
  const joinedAt = driverJoins(world)
  const random = seeded(seeds.sundries, seeds.drivers)
  let id = 1
  const charge = (driver: number, purpose: Purpose, at: number) =>
    agenda.at(at, () => invoices.charge(driver, purpose, at))

  const onboarding: Source = {
    next: joinedAt(0),
    run: () => {
      const joined = onboarding.next
      if (random.chance(0.2)) charge(id, 'Driver onboarding fee', joined + day)
      if (random.chance(0.05))
        charge(id, 'Vehicle branding fee', Math.round(joined + random.between(10, 90) * day))
      onboarding.next = id < world.size.drivers ? joinedAt(id) : Infinity
      id++
    },
  }
  return onboarding
}
