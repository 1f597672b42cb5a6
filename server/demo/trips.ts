import type { Agenda, Source } from './agenda.ts'
import type { Area, Route } from './areas.ts'
import { areas, pickRoute } from './areas.ts'
import type { Billing } from './billing.ts'
import { day, minute, timeline } from './clock.ts'
import type { Dispatch } from './dispatch.ts'
import { drivingMinutes, fareOf } from './fares.ts'
import type { Ride } from './fleet.ts'
import { rides } from './fleet.ts'
import type { Invoices } from './invoices.ts'
import type { Ledger } from './ledger.ts'
import { pickNote } from './notes.ts'
import type { Random } from './random.ts'
import { seeded } from './random.ts'
import type { Sos } from './sos.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

/** The first trip was this long before `now`, a month after the first driver joined. */
export const openedAgo = 880 * day

/** With 2, half of all trips are in the last quarter of that time. */
export const tripGrowth = 2

interface Office {
  world: World
  write: Write
  agenda: Agenda
  dispatch: Dispatch
  ledger: Ledger
  billing: Billing
  invoices: Invoices
  sos: Sos
}

/** The trips in order of time, each with its payments, commission and SOS logs. */
export function createTrips(office: Office): Source {
  const { world, write } = office
  const random = seeded(seeds.rides)
  const count = world.size.trips
  const timeOf = timeline({ count, span: openedAgo, growth: tripGrowth, rhythm: 'rides', now: world.now })
  let id = 1

  const trips: Source = {
    next: count > 0 ? timeOf(0) : Infinity,
    run: () => {
      const trip = plan(random, office, trips.next)
      const status = statusAt(trip, world.now)
      const driver = status === 'Requested' ? null : trip.driver
      const isCompleted = status === 'Completed'
      const note = pickNote(random, isCompleted, trip.route.start.isAirport)
      write('trips', {
        id,
        driver_id: driver,
        customer_id: trip.customer,
        start_name: trip.route.start.name,
        destination_name: trip.route.destination.name,
        status,
        notes: note.text,
        search: `${trip.route.start.folded} ${trip.route.destination.folded}${note.folded}`,
        created_at: trip.requestedAt,
        cost: status === 'Cancelled' ? 0 : trip.fare,
        distance: trip.route.metres,
      })
      follow(random, office, trip, {
        id,
        driver,
        isCompleted,
        paidInCash: note.paidInCash ?? random.chance(0.55),
      })
      trips.next = id < count ? timeOf(id) : Infinity
      id++
    },
  }
  return trips
}

interface Trip {
  customer: number
  driver: number | null
  route: Route
  fare: number
  requestedAt: number
  acceptedAt: number
  startedAt: number
  endedAt: number
  /** `Infinity` if the trip is not cancelled. */
  cancelledAt: number
}

function plan(random: Random, { world, dispatch }: Office, at: number): Trip {
  const driver = random.chance(0.02) ? null : dispatch.findDriver(random, at)
  const area = driver === null ? undefined : world.drivers.area[driver]
  const customer = dispatch.findCustomer(random, at, area)
  const { place, ride } = whereAndWhat(world, driver, customer)
  const route = pickRoute(random, place, ride.reach)
  const minutes = drivingMinutes(route.metres, place, at)
  const acceptedAt = at + random.between(0.3, 2.5) * minute
  const startedAt = acceptedAt + random.between(2, 12) * minute
  const isCancelled = driver === null || random.chance(0.08)
  return {
    customer,
    driver,
    route,
    fare: fareOf(random, ride.product, place, route.metres, minutes),
    requestedAt: at,
    acceptedAt,
    startedAt,
    endedAt: Math.round(startedAt + minutes * minute),
    // A request without a driver is cancelled after five minutes.
    cancelledAt:
      driver === null ? at + 5 * minute : isCancelled ? random.between(acceptedAt, startedAt) : Infinity,
  }
}

/** The area and vehicle of a trip. Without a driver: the area of the customer and the smallest car. */
function whereAndWhat(world: World, driver: number | null, customer: number): { place: Area; ride: Ride } {
  const area = driver === null ? world.customers.area[customer] : world.drivers.area[driver]
  const place = areas[area ?? 0] ?? areas[0]
  const ride = rides[driver === null ? 0 : (world.drivers.ride[driver] ?? 0)] ?? rides[0]
  if (!place || !ride) throw new Error('The reference data has no areas or no vehicles.')
  return { place, ride }
}

function statusAt(trip: Trip, now: number): string {
  if (trip.cancelledAt <= now) return 'Cancelled'
  if (trip.driver === null || now < trip.acceptedAt) return 'Requested'
  if (now < trip.startedAt) return 'Accepted'
  return now < trip.endedAt ? 'Ongoing' : 'Completed'
}

interface TripResult {
  id: number
  driver: number | null
  isCompleted: boolean
  paidInCash: boolean
}

function follow(
  random: Random,
  { world, agenda, ledger, billing, invoices, sos }: Office,
  trip: Trip,
  { id, driver, isCompleted, paidInCash }: TripResult,
): void {
  const until = Math.min(trip.endedAt, trip.cancelledAt)
  world.customers.freeAt[trip.customer] = until
  if (driver === null) return
  world.drivers.freeAt[driver] = until
  const { route, endedAt, fare } = trip
  if (trip.cancelledAt === Infinity && trip.startedAt < world.now)
    sos.mayRing(id, route, trip.startedAt, endedAt)
  if (!isCompleted) return
  const isDirty = random.chance(0.002)
  agenda.at(endedAt, () => {
    if (!paidInCash) ledger.earn(driver, fare, endedAt)
    billing.note(driver, fare, paidInCash, route.start.isAirport || route.destination.isAirport)
  })
  if (isDirty)
    agenda.at(endedAt + day, () => invoices.charge(driver, 'Damage and cleaning charge', endedAt + day))
}
