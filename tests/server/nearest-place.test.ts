import fc from 'fast-check'
import { expect, test } from 'vitest'
import gazetteer from '../../server/gazetteer/places-ke.json' with { type: 'json' }
import { nearestPlace } from '../../server/nearest-place.ts'

/** A place near the equator whose position is well known, far from all others. */
function lonely() {
  const found = gazetteer.places.find(
    (one) =>
      one.accuracy_m < 500 &&
      Math.abs(one.lat) < 2 &&
      gazetteer.places.every((other) => other === one || metresBetween(one, other) > 10_000),
  )
  if (!found) throw new Error('Every place has another one nearby.')
  return found
}
const textAt = (lat: number, lng: number) => nearestPlace(lat, lng)?.text
/** In degrees. */
const kilometre = 1 / 111.195

/** On a sphere, for a comparison with the flat earth of the product. */
function metresBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const [one, two] = [a, b].map(({ lat, lng }) => ({
    lat: (lat * Math.PI) / 180,
    lng: (lng * Math.PI) / 180,
  }))
  if (!one || !two) return NaN
  const cosine =
    Math.sin(one.lat) * Math.sin(two.lat) +
    Math.cos(one.lat) * Math.cos(two.lat) * Math.cos(one.lng - two.lng)
  return Math.acos(Math.min(1, cosine)) * 6_371_000
}

test('names the distance, in which of eight directions the point lies, and the place', () => {
  const { name, lat, lng } = lonely()
  const far = 3 * kilometre
  const directions = [
    [far, 0, 'N'],
    [far, far, 'NE'],
    [0, far, 'E'],
    [-far, far, 'SE'],
    [-far, 0, 'S'],
    [-far, -far, 'SW'],
    [0, -far, 'W'],
    [far, -far, 'NW'],
  ] as const
  for (const [north, east, direction] of directions)
    expect(textAt(lat + north, lng + east)).toMatch(new RegExp(`^\\d\\.\\d km ${direction} of ${name}$`))
})

test('says metres in tens below one kilometre, and kilometres with one decimal from there on', () => {
  const { name, lat, lng } = lonely()
  expect(textAt(lat, lng + 0.7 * kilometre)).toBe(`700 m E of ${name}`)
  expect(textAt(lat, lng + 0.994 * kilometre)).toBe(`990 m E of ${name}`)
  expect(textAt(lat, lng + 0.996 * kilometre)).toBe(`1.0 km E of ${name}`)
  expect(textAt(lat - 2.04 * kilometre, lng)).toBe(`2.0 km S of ${name}`)
})

test('says only that it is near, if the position of the place is not known more exactly', () => {
  for (const { name, lat, lng } of gazetteer.places.slice(0, 100)) {
    const twins = gazetteer.places.filter((one) => one.lat === lat && one.lng === lng)
    if (twins.length === 1) expect(textAt(lat, lng)).toBe(`Near ${name}`)
  }
})

test('names no place that is more than 50 km away', () => {
  expect(nearestPlace(-1.3, 50)).toBeNull()
  expect(nearestPlace(60, 10)).toBeNull()
  expect(nearestPlace(NaN, NaN)).toBeNull()
})

test('names the credit of the source, where its licence requires one', () => {
  const creditAt = (source: string) => {
    const one = gazetteer.places.find((one) => one.source === source)
    return one && nearestPlace(one.lat, one.lng)?.credit
  }
  expect([creditAt('osm'), creditAt('manual')]).toEqual(['© OpenStreetMap contributors', ''])
})

test('finds the same place as a loop over all of them', () => {
  const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  fc.assert(
    fc.property(degrees(-5.5, 5.5), degrees(33, 43), (lat, lng) => {
      const distances = gazetteer.places.map((one) => metresBetween(one, { lat, lng }))
      const least = Math.min(...distances)
      const text = textAt(lat, lng)
      // The two formulas differ by less than 0.5% at these distances.
      if (text === undefined) expect(least).toBeGreaterThan(49_700)
      else {
        const named = gazetteer.places.filter(({ name }) => text.endsWith(` ${name}`))
        expect(Math.min(...named.map((one) => metresBetween(one, { lat, lng })))).toBeLessThan(
          least * 1.005 + 1,
        )
      }
    }),
    { numRuns: 2000, seed: 7 },
  )
})
