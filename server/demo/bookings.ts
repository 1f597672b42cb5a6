import type { Agenda, Source } from './agenda.ts'
import { areas } from './areas.ts'
import { day, hour, midnightInNairobi, minute, timeline } from './clock.ts'
import type { Dispatch } from './dispatch.ts'
import { commissionOf } from './fares.ts'
import { rides } from './fleet.ts'
import type { Invoices } from './invoices.ts'
import type { Random } from './random.ts'
import { seeded } from './random.ts'
import { slots } from './slots.ts'
import { roundDegrees } from './sos.ts'
import { openedAgo } from './trips.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

interface Office {
  world: World
  write: Write
  agenda: Agenda
  dispatch: Dispatch
  invoices: Invoices
}

/** The pre-bookings in order of creation. The newest ones together have every status. */
export function createBookings({ world, write, agenda, dispatch, invoices }: Office): Source {
  const { size, now, drivers, customers } = world
  const random = seeded(seeds.bookings)
  const timeOf = timeline({ count: size.bookings, span: openedAgo, growth: 2, rhythm: 'rides', now })
  const newest = Math.max(newestStatuses.length, Math.ceil(size.bookings * 0.04))
  let id = 1

  const isFit = (driver: number) => isCar(drivers.ride[driver]) && drivers.suspendedAt[driver] === Infinity
  const findCarDriver = (at: number, area: number | undefined) =>
    dispatch.findDriver(random, at, (driver) => drivers.area[driver] === area && isFit(driver)) ??
    dispatch.findDriver(random, at, isFit)

  const bookings: Source = {
    next: size.bookings > 0 ? timeOf(0) : Infinity,
    run: () => {
      const at = bookings.next
      const slot = random.pick(slots)
      const left = size.bookings - id
      const planned = schedule(random, at, now, slot.hours, left < newest ? left : null)
      const customer = dispatch.findCustomer(random, at)
      const area = customers.area[customer]
      const hasDriver =
        planned.status !== 'Pending' && !(planned.status === 'Cancelled' && random.chance(0.5))
      const driver = hasDriver ? findCarDriver(at, area) : null
      const { status, appointment, pickup, dropoff } = driver === null ? withoutDriver(planned) : planned
      const start = areas[area ?? 0]?.pickPlace(random)
      write('pre_bookings', {
        id,
        start_lat: roundDegrees((start?.lat ?? 0) + random.between(-0.002, 0.002)),
        start_lng: roundDegrees((start?.lng ?? 0) + random.between(-0.002, 0.002)),
        created_at: at,
        appointment_date: appointment,
        customer_id: customer,
        driver_id: driver,
        slot_id: slot.id,
        status,
        pickup_time: pickup,
        dropoff_time: dropoff,
        paid: random.chance(paidPart[status]) ? 1 : 0,
        amount: slot.amount,
      })
      if (driver !== null && status === 'Ongoing') drivers.freeAt[driver] = appointment + slot.hours * hour
      if (driver !== null && dropoff !== null)
        agenda.at(dropoff, () => invoices.send(driver, slot.purpose, commissionOf(slot.amount), dropoff))
      if (driver !== null && status === 'Cancelled' && appointment < now)
        agenda.at(appointment, () => invoices.charge(driver, 'Cancelled booking charge', appointment))
      bookings.next = id < size.bookings ? timeOf(id) : Infinity
      id++
    },
  }
  return bookings
}

type Status = 'Completed' | 'Ongoing' | 'Not Started' | 'Accepted' | 'Pending' | 'Cancelled'

const newestStatuses = [
  'Pending',
  'Accepted',
  'Ongoing',
  'Not Started',
  'Pending',
  'Accepted',
  'Cancelled',
] as const
const paidPart: Record<Status, number> = {
  Completed: 0.93,
  Ongoing: 0.6,
  'Not Started': 0.4,
  Accepted: 0.35,
  Pending: 0.1,
  Cancelled: 0,
}

interface Schedule {
  status: Status
  appointment: number
  pickup: number | null
  dropoff: number | null
}

/**
 * `left` is the number of newer bookings and decides the status. Null: the status depends on the times of the booking.
 */
function schedule(random: Random, at: number, now: number, hours: number, left: number | null): Schedule {
  if (left !== null) {
    const status = newestStatuses[left % newestStatuses.length] ?? 'Pending'
    if (status === 'Ongoing') return underway(at, now, hours)
    const soon =
      status === 'Not Started' ? lastHalfHour(now) : daytime(random, now + random.between(1, 21) * day)
    return { status, appointment: Math.max(at, soon), pickup: null, dropoff: null }
  }
  const appointment = daytime(random, at + random.between(0.2, 1) ** 2 * 30 * day)
  if (appointment > now)
    return { status: random.chance(0.55) ? 'Accepted' : 'Pending', appointment, pickup: null, dropoff: null }
  const fate = random.next()
  if (fate > 0.92)
    return { status: fate > 0.98 ? 'Not Started' : 'Cancelled', appointment, pickup: null, dropoff: null }
  const pickup = Math.min(now, Math.round(appointment + random.between(-5, 20) * minute))
  const dropoff = Math.round(pickup + random.between(0.8, 1.05) * hours * hour)
  if (dropoff > now) return { status: 'Ongoing', appointment, pickup, dropoff: null }
  return { status: 'Completed', appointment, pickup, dropoff }
}

/** A booking whose pickup was so recently that its trip is not over yet. */
function underway(at: number, now: number, hours: number): Schedule {
  const pickup = Math.round(Math.max((at + now) / 2, now - 0.7 * hours * hour))
  return { status: 'Ongoing', appointment: pickup, pickup, dropoff: null }
}

/** The same booking without a driver: cancelled if it was, else pending. */
function withoutDriver({ status, appointment }: Schedule): Schedule {
  return { status: status === 'Cancelled' ? status : 'Pending', appointment, pickup: null, dropoff: null }
}

const lastHalfHour = (now: number) => Math.floor(now / (30 * minute)) * 30 * minute

/** A full or half hour between 5:00 and 20:30 on the day of `time`. */
function daytime(random: Random, time: number): number {
  return midnightInNairobi(time) + 5 * hour + random.int(32) * 30 * minute
}

const isCar = (ride: number | undefined) => rides[ride ?? rides.length]?.type === 'vehicles'
