import type { Trends } from '../api/contract.ts'
import { isRow } from '../api/loose.ts'
import { amount, count, day, numberOf, text, timeOfDay, wholeAmount } from '../format.ts'

type Figures = Trends['before']

/** The figures of one day or hour. `at` is its start. */
export interface Point extends Figures {
  at: string
}

/** One course of numbers: a chart, and a column of the table. */
export interface Series {
  label: string
  unit: '' | 'Ksh '
  of: (figures: Figures) => number
  exact: (value: number) => string
  /** As on the cards. */
  rounded: (value: number) => string
}

const numbers = { unit: '', exact: count, rounded: count } as const
const money = { unit: 'Ksh ', exact: amount, rounded: wholeAmount } as const

export const series: readonly Series[] = [
  { label: 'Trips completed', of: ({ trips }) => trips, ...numbers },
  { label: 'Fares', of: ({ fares }) => fares, ...money },
  { label: 'Commission', of: ({ commission }) => commission, ...money },
  { label: 'Cash received', of: ({ cash }) => cash, ...money },
  { label: 'Sign-ups', of: ({ drivers, customers }) => drivers + customers, ...numbers },
  { label: 'SOS', of: ({ sos }) => sos, ...numbers },
]

/** What the table has besides: the parts of the sign-ups. */
export const columns: readonly Series[] = series.flatMap((one) =>
  one.label === 'Sign-ups'
    ? [
        one,
        { label: 'Drivers', of: ({ drivers }) => drivers, ...numbers },
        { label: 'Customers', of: ({ customers }) => customers, ...numbers },
      ]
    : [one],
)

/** Of all points together, in whole cents, so that amounts add up exactly. */
export const totalOf = ({ of }: Series, points: readonly Figures[]): number =>
  points.reduce((sum, point) => sum + Math.round(of(point) * 100), 0) / 100

/** `14th Nov 2026`, or `14:00` if the points are hours. */
export const nameOf = ({ at }: Point, days: number): string =>
  days === 1 ? timeOfDay(Date.parse(at)) : day(at)

/** The same without the year. */
export const shortNameOf = (point: Point, days: number): string => nameOf(point, days).replace(/ \d{4}$/, '')

/** "the same hours yesterday", "the 14 days before" */
export const periodBefore = (days: number) =>
  days === 1 ? 'the same hours yesterday' : `the ${String(days)} days before`

/** What is no number counts as 0. */
export function sumsOf(value: unknown): Figures {
  const row = isRow<Figures>(value) ? value : {}
  return {
    trips: numberOf(row.trips) ?? 0,
    fares: numberOf(row.fares) ?? 0,
    commission: numberOf(row.commission) ?? 0,
    cash: numberOf(row.cash) ?? 0,
    drivers: numberOf(row.drivers) ?? 0,
    customers: numberOf(row.customers) ?? 0,
    sos: numberOf(row.sos) ?? 0,
  }
}

/** What has no date is left out. */
export function pointsOf(value: unknown): Point[] {
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  return rows.flatMap((row) => {
    const at = isRow<Point>(row) ? text(row.at) : ''
    return day(at) ? [{ at, ...sumsOf(row) }] : []
  })
}

/** The trips that began in one area: their number and their fares in Ksh. */
export interface AreaSums {
  area: string
  trips: number
  fares: number
}

/** Areas without trips are left out. Places that are in no known area are one of them. */
export function areasOf(value: unknown): AreaSums[] {
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  return rows.flatMap((row) => {
    if (!isRow<Trends['areas'][number]>(row)) return []
    const trips = numberOf(row.trips) ?? 0
    return trips > 0
      ? [{ area: text(row.area) || 'Other places', trips, fares: numberOf(row.fares) ?? 0 }]
      : []
  })
}
