import type { Agenda } from './agenda.ts'
import type { Route } from './areas.ts'
import reference from './data/sos.json' with { type: 'json' }
import { minute } from './clock.ts'
import { hash, seeded } from './random.ts'
import { staffCount } from './staff.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

export interface Sos {
  /** For a few trips, writes an SOS log at a random point and time of the trip. */
  mayRing(trip: number, route: Route, startedAt: number, endedAt: number): void
}

export function createSos(world: World, write: Write, agenda: Agenda): Sos {
  const random = seeded(seeds.sundries, seeds.rides)
  const likelihood = Math.max(0.0015, 15 / Math.max(world.size.trips, 1))
  let count = 0
  return {
    mayRing: (trip, { start, destination }, startedAt, endedAt) => {
      if (!random.chance(likelihood)) return
      const part = random.next()
      const at = Math.round(startedAt + part * (endedAt - startedAt))
      const near = (from: number, to: number) =>
        roundDegrees(from + part * (to - from) + random.between(-0.002, 0.002))
      const latitude = near(start.lat, destination.lat)
      const longitude = near(start.lng, destination.lng)
      const { raised_by } = random.pick(reference.sos)
      agenda.at(at, () => {
        const id = ++count
        const place = { trip_id: trip, raised_by, latitude, longitude, created_at: at }
        write('sos_logs', { id, ...place, ...handling(id, at, world.now), version: 1 })
      })
    },
  }
}

/** Acknowledged after 1 to 20 minutes. `finish` makes the newest ones new again. */
function handling(id: number, at: number, now: number) {
  const handled_at = at + (1 + (hash(id, 1) % 20)) * minute
  if (handled_at > now) return { handled_at: null, handled_by: null }
  return { handled_at, handled_by: 1 + (hash(id, 2) % staffCount) }
}

/** Rounds to six decimals, as all coordinates are stored. */
export function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
