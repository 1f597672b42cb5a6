import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { hourLength, nairobiOffset } from '../db/hours.ts'

/**
 * By term of `filter`, its condition. A term whose name ends with a colon is followed by an id: `driver:12`; `from:` and `to:`
 * by a day in Nairobi, of which `day` is the beginning in epoch milliseconds: `from:2026-03-04`.
 */
export type Terms = Record<string, (given: { id: number; day: number; now: number }) => Expression<SqlBool>>

/** The terms of a filter that are declared, as conditions, and whether all of them are. */
export function readFilter(
  terms: Terms,
  filter: string,
  now: number,
): { conditions: Expression<SqlBool>[]; allKnown: boolean } {
  const given = filter.split(',').flatMap((term) => term.trim() || [])
  const conditions = given.flatMap((term) => {
    const [, name = '', value = ''] = /^([^:]+:?)(.*)$/.exec(term) ?? []
    const [id, day] = name.endsWith(':') ? [idOf(value), dayOf(value)] : [0, 0]
    const isFit = Number.isSafeInteger(isDay(name) ? day : id)
    return Object.hasOwn(terms, name) && isFit ? (terms[name]?.({ id, day, now }) ?? []) : []
  })
  return { conditions, allKnown: conditions.length === given.length }
}

const isDay = (name: string) => name === 'from:' || name === 'to:'

const idOf = (value: string) => Number(/^[1-9]\d{0,15}$/.exec(value)?.[0])

/** The beginning of a day in Nairobi, which has no summer time; NaN for what is not a day. */
function dayOf(value: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00+03:00`) : NaN
  // 31 February would be a day in March.
  return Number.isNaN(time) || nairobiDate(time) !== value ? NaN : time
}

/** A term without an id; the condition is SQL as it is, so that a partial index with the same condition can serve it. */
export function where(condition: string): Terms[string] {
  return () => sql.raw(condition)
}

/** A term with the id that this column holds. */
export function idIn(column: string): Terms[string] {
  return ({ id }) => sql<SqlBool>`${sql.ref(column)} = ${id}`
}

/** That a column, which holds epoch milliseconds, is from one time on and before another one. */
export class DayCondition implements Expression<SqlBool> {
  readonly #condition: Expression<SqlBool>
  /** The same in a form that no index answers. */
  readonly plain: Expression<SqlBool>

  constructor(column: string, from: number | null, before: number | null) {
    const compared = (value: Expression<unknown>) => {
      const parts = [
        ...(from === null ? [] : [sql`${value} >= ${from}`]),
        ...(before === null ? [] : [sql`${value} < ${before}`]),
      ]
      return sql<SqlBool>`(${sql.join(parts, sql` and `)})`
    }
    this.#condition = compared(sql.ref(column))
    this.plain = compared(sql`(${sql.ref(column)} + 0)`)
  }

  get expressionType(): SqlBool | undefined {
    return undefined
  }

  toOperationNode() {
    return this.#condition.toOperationNode()
  }
}

const oneDay = 24 * hourLength

/**
 * Terms for the days in Nairobi of a column that holds epoch milliseconds: `from:2026-03-04` and `to:2026-03-31`, both
 * included; the day, the week from Monday on and the month that it is now.
 */
export const days = (column: string): Terms => ({
  today: between(column, (today) => [today, today + oneDay]),
  yesterday: between(column, (today) => [today - oneDay, today]),
  'this-week': between(column, (today) => [mondayOf(today), mondayOf(today) + 7 * oneDay]),
  'this-month': between(column, (today) => [monthOf(today, 0), monthOf(today, 1)]),
  'from:': ({ day }) => new DayCondition(column, day, null),
  'to:': ({ day }) => new DayCondition(column, null, day + oneDay),
})

/** The term for the day after this one, where dates lie ahead. */
export const tomorrow = (column: string): Terms => ({
  tomorrow: between(column, (today) => [today + oneDay, today + 2 * oneDay]),
})

function between(column: string, times: (today: number) => [from: number, before: number]): Terms[string] {
  return ({ now }) => new DayCondition(column, ...times(dayOf(nairobiDate(now))))
}

/** 1 January 1970 was a Thursday. */
const mondayOf = (day: number) => day - (((day + nairobiOffset) / oneDay + 3) % 7) * oneDay
/** The beginning of the month of a day, or of the one so many months later. */
function monthOf(day: number, later: number): number {
  const date = new Date(day + nairobiOffset)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) - nairobiOffset
}
/** Terms of what is valid until the end of a day in Nairobi: `expired` and `running`. */
export const validity: Terms = {
  expired: ({ now }) => sql<SqlBool>`valid_till < ${nairobiDate(now)}`,
  running: ({ now }) => sql<SqlBool>`(valid_till is null or valid_till >= ${nairobiDate(now)})`,
}

const inNairobi = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi', dateStyle: 'short' })
const nairobiDate = (now: number) => inNairobi.format(now)

/** Terms for the values of the column `status`: `not-started` for `Not Started`. */
export function statuses(...names: string[]): Terms {
  return Object.fromEntries(
    names.map((name) => [name.toLowerCase().replace(' ', '-'), where(`status = '${name}'`)]),
  )
}
