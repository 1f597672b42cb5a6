import { hash } from './random.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** East Africa Time: UTC+3 in all of Kenya since 1960, without daylight saving time. */
const offset = 3 * hour

/** For each hour of the day, the share of the day's events before that hour, from 0 to 1. */
const rhythms = {
  rides: addedUp([3, 2, 1, 1, 2, 4, 8, 13, 12, 8, 7, 7, 8, 8, 7, 7, 9, 13, 14, 12, 10, 8, 6, 4]),
  office: addedUp([1, 1, 1, 1, 1, 2, 4, 12, 32, 40, 40, 36, 28, 28, 36, 36, 28, 20, 12, 8, 6, 4, 2, 1]),
}
type Rhythm = keyof typeof rhythms

interface Timeline {
  count: number
  /** How long before `now` the first event is, in milliseconds. */
  span: number
  /** 1: events are spread evenly. Above 1: more events towards `now`, as in a growing business. */
  growth: number
  rhythm: Rhythm
  now: number
}

/** Returns the time of an event by its index. Times increase with the index, and each is computed without the others. */
export function timeline({ count, span, growth, rhythm, now }: Timeline): (index: number) => number {
  return (index) => {
    const within = index === 0 ? 0 : hash(count, index) / 2 ** 32
    return intoRhythm(now - span * (1 - (index + within) / count) ** growth, rhythm, now)
  }
}

/** Moves a time within its day, so that busy hours get more events. Keeps the order; the result is never after `now`. */
export function intoRhythm(time: number, rhythm: Rhythm, now: number): number {
  const steps = rhythms[rhythm]
  const midnight = midnightInNairobi(time)
  const dayLength = Math.max(1e-9, Math.min(1, (now - midnight) / day))
  const part = ((time - midnight) / day / dayLength) * shareBefore(steps, dayLength)
  return Math.round(Math.min(midnight + whenShareIs(steps, part) * day, now))
}

/** Midnight in Nairobi at the start of the day of `time`. */
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

/** 6:00 in Nairobi on the first Monday after the day of `time`. */
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
