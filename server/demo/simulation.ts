import type { Source } from './agenda.ts'
import { createAgenda } from './agenda.ts'
import { createBilling } from './billing.ts'
import { createBookings } from './bookings.ts'
import { createDispatch } from './dispatch.ts'
import { createInvoices } from './invoices.ts'
import { createLedger } from './ledger.ts'
import { createOnboarding } from './onboarding.ts'
import { createSos } from './sos.ts'
import { createTrips, openedAgo, tripGrowth } from './trips.ts'
import type { World, Write } from './world.ts'

/**
 * Simulates the business from its first day to `now`, so that rows are written in order of time. Each call of the returned
 * function handles one event. It returns the share of all trips written so far (0 to 1), or null after the last event.
 */
export function createSimulation(world: World, write: Write): () => number | null {
  const agenda = createAgenda()
  const dispatch = createDispatch(world)
  const ledger = createLedger(world, write, agenda)
  const invoices = createInvoices(world, write, agenda, ledger)
  const billing = createBilling(world, invoices, world.now - openedAgo)
  const sos = createSos(world, write, agenda)
  const office = { world, write, agenda, dispatch, ledger, invoices, billing, sos }
  const sources = [
    agenda,
    createOnboarding(world, agenda, invoices),
    createTrips(office),
    createBookings(office),
    billing,
  ]

  return () => {
    const source = earliest(sources, agenda)
    const at = source.next
    if (at > world.now) return null
    source.run()
    return Math.max(0, 1 - ((world.now - at) / openedAgo) ** (1 / tripGrowth))
  }
}

function earliest(sources: Source[], first: Source): Source {
  let found = first
  for (const source of sources) if (source.next < found.next) found = source
  return found
}
