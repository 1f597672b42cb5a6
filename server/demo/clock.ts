import { hash } from './random.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** East Africa Time: the same all year, in all of Kenya, since 1960. */
const offset = 3 * hour

/** How often things happen in each hour of the day, added up to 1. */
const rhythms = {
  rides: addedUp([3, 2, 1, 1, 2, 4, 8, 13, 12, 8, 7, 7, 8, 8, 7, 7, 9, 13, 14, 12, 10, 8, 6, 4]),
  office: addedUp([1, 1, 1, 1, 1, 2, 4, 12, 32, 40, 40, 36, 28, 28, 36, 36, 28, 20, 12, 8, 6, 4, 2, 1]),
}
type Rhythm = keyof typeof rhythms

interface Timeline {
  count: number
  /** The first of them lies this long before `now`, in milliseconds. */
  span: number
  /** 1 is an even stream; above that, a business that grows towards `now`. */
  growth: number
  rhythm: Rhythm
  now: number
}

/** The moments of `count` things one after the other: the moment of any of them, by its index, without the others. */
export function timeline({ count, span, growth, rhythm, now }: Timeline): (index: number) => number {
  return (index) => {
    const within = index === 0 ? 0 : hash(count, index) / 2 ** 32
    return intoRhythm(now - span * (1 - (index + within) / count) ** growth, rhythm, now)
  }
}

/** Moves a moment up to `now` within its day, so that busy hours get more of them; keeps the order, never passes `now`. */
export function intoRhythm(time: number, rhythm: Rhythm, now: number): number {
  const steps = rhythms[rhythm]
  const midnight = midnightInNairobi(time)
  const dayLength = Math.max(1e-9, Math.min(1, (now - midnight) / day))
  const part = ((time - midnight) / day / dayLength) * shareBefore(steps, dayLength)
  return Math.round(Math.min(midnight + whenShareIs(steps, part) * day, now))
}

/** The midnight at which the day of `time` began. */
export function midnightInNairobi(time: number): number {
  return Math.floor((time + offset) / day) * day - offset
}

export function hourInNairobi(time: number): number {
  return Math.floor(((time + offset) % day) / hour)
}

/** YYYY-MM-DD */
export function dateInNairobi(time: number): string {
  return new Date(time + offset).toISOString().slice(0, 10)
}

/** Six in the morning of the Monday after `time`. */
export function nextMonday(time: number): number {
  const today = Math.floor((time + offset) / day)
  // Day 0 of the epoch was a Thursday.
  const ahead = 7 - ((today + 3) % 7)
  return (today + ahead) * day - offset + 6 * hour
}

function addedUp(weights: number[]): number[] {
  const sum = weights.reduce((a, b) => a + b)
  let part = 0
  return [0, ...weights.map((weight) => (part += weight) / sum)]
}

function shareBefore(steps: number[], dayPart: number): number {
  const at = Math.min(Math.floor(dayPart * 24), 23)
  const low = steps[at] ?? 0
  return low + ((steps[at + 1] ?? 1) - low) * (dayPart * 24 - at)
}

function whenShareIs(steps: number[], share: number): number {
  let at = 1
  while (at < 24 && (steps[at] ?? 1) < share) at++
  const low = steps[at - 1] ?? 0
  const width = (steps[at] ?? 1) - low
  return (at - 1 + (width > 0 ? (share - low) / width : 0)) / 24
}
