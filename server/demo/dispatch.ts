import { customerJoins } from './customers.ts'
import { driverJoins } from './drivers.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'
import { noRide } from './world.ts'

export interface Dispatch {
  /** The id of a free driver who accepts a trip at this time, or null. */
  findDriver(random: Random, at: number, accepts?: (id: number) => boolean): number | null
  /** The id of a free customer in the area. After 100 failed tries, the id of any customer. */
  findCustomer(random: Random, at: number, area?: number): number
}

/** Finds drivers and customers who have joined and are free. Call it with times that never decrease. */
export function createDispatch(world: World): Dispatch {
  const { drivers, customers, size } = world
  const joinedDrivers = joinedSoFar(driverJoins(world), size.drivers)
  const joinedCustomers = joinedSoFar(customerJoins(world), size.customers)
  const isFree = (id: number, at: number) =>
    (drivers.freeAt[id] ?? 0) <= at && (drivers.suspendedAt[id] ?? 0) > at && drivers.ride[id] !== noRide

  return {
    findDriver: (random, at, accepts = () => true) => {
      const joined = joinedDrivers(at)
      for (let tries = 0; tries < 200; tries++) {
        const id = someone(random, joined)
        const isKeen = tries > 40 || random.next() < (drivers.keenness[id] ?? 0)
        if (isKeen && isFree(id, at) && accepts(id)) return id
      }
      return null
    },
    findCustomer: (random, at, area) => {
      const joined = joinedCustomers(at)
      for (let tries = 0; ; tries++) {
        const id = anyCustomer(random, joined)
        const suits = (area === undefined || customers.area[id] === area) && (customers.freeAt[id] ?? 0) <= at
        if (suits || tries === 100) return id
      }
    },
  }
}

/** Draws an id up to `joined`. A quarter of the draws are from the newest tenth, who are more active. */
function someone(random: Random, joined: number): number {
  return random.chance(0.25) ? joined - random.int(Math.ceil(joined / 10)) : 1 + random.int(joined)
}

/** Draws a customer's id. Every tenth customer is drawn much more often than the others. */
function anyCustomer(random: Random, joined: number): number {
  const id = someone(random, joined)
  return random.chance(0.5) ? Math.max(1, id - (id % 10)) : id
}

/** Returns how many people have joined at a time. Call it with times that never decrease. */
export function joinedSoFar(joinedAt: (index: number) => number, count: number): (at: number) => number {
  let joined = 1
  return (at) => {
    while (joined < count && joinedAt(joined) <= at) joined++
    return joined
  }
}
