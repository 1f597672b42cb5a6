import { fold, foldPlate } from '../fold.ts'
import { areas, pickArea } from './areas.ts'
import { day, timeline } from './clock.ts'
import { pickColour, pickRide, rides } from './fleet.ts'
import type { Sex } from './names.ts'
import { personName, unusualName } from './names.ts'
import { phoneNumber } from './phones.ts'
import { createPlates } from './plates.ts'
import { seeded } from './random.ts'
import type { World, Write } from './world.ts'
import { noRide, seeds } from './world.ts'

/** Returns the time at which a driver joined. The index is the driver's id - 1. */
export function driverJoins({ size, now }: World): (index: number) => number {
  return timeline({ count: size.drivers, span: 913 * day, growth: 1.25, rhythm: 'office', now })
}

/** Depends on the id only, because the portrait is drawn from the id. */
export function sexOfDriver(id: number): Sex {
  return seeded(seeds.drivers, -id).chance(0.08) ? 'female' : 'male'
}

/** Returns a function that writes a driver with their vehicle, without totals. Call it in order of ids. */
export function createDrivers(world: World, write: Write): (id: number) => void {
  const { size, now, drivers } = world
  const joinedAt = driverJoins(world)
  const nextPlate = createPlates()
  let vehicles = 0

  return (id) => {
    const random = seeded(seeds.drivers, id)
    const fullname = unusualName('drivers', id - 1, size.drivers) ?? personName(random, sexOfDriver(id))
    const joined = joinedAt(id - 1)
    const area = pickArea(random)
    const home = areas[area]
    const rideIndex = home && !random.chance(0.02) ? pickRide(random, home) : noRide
    const ride = rides[rideIndex]
    const suspended = random.chance(0.03)
    drivers.area[id] = area
    drivers.ride[id] = rideIndex
    drivers.keenness[id] = 0.02 + 0.98 * random.next() ** 6
    // At least two days ago, so that no suspended driver has a trip in progress.
    if (suspended) drivers.suspendedAt[id] = Math.max(joined, random.between(joined, now - 2 * day))

    const folder = `/demo/driver/${id}`
    const nameFile = `${encodeURIComponent(fullname)}.svg`
    write('drivers', {
      id,
      fullname,
      phone_number: phoneNumber(id - 1),
      search: fold(fullname),
      date_joined: joined,
      wallet_balance: 0,
      total_trips: 0,
      total_completed_trips: 0,
      total_failed_trips: 0,
      image: random.chance(0.12) ? null : `${folder}/portrait.svg`,
      id_front: `${folder}/id-front/${nameFile}`,
      id_back: `${folder}/id-back.svg`,
      license: `${folder}/license/${nameFile}`,
      online: ride && !suspended && random.chance(0.34) ? 1 : 0,
      busy: 0,
      deleted: suspended ? 1 : 0,
      total_earnings: 0,
      unpaid_invoices: 0,
      version: 1,
    })
    if (!ride) return
    const registration = nextPlate(random, ride.type)
    write('vehicles', {
      id: ++vehicles,
      driver_id: id,
      registration,
      color: pickColour(random).name,
      search: foldPlate(registration),
    })
  }
}
