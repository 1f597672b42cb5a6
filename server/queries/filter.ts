import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { dayLength, nairobiOffset } from '../db/hours.ts'

/**
 * By term of `filter`, its condition. A term whose name ends with a colon is followed by an id: `driver:12`; `from:` and `to:`
 * by a day in Nairobi, of which `day` is the beginning in epoch milliseconds: `from:2026-03-04`.
 */
export type Terms = Record<string, (given: Given) => Expression<SqlBool>>

interface Given {
  /** The name of the term: `completed`, `driver:`. */
  term: string
  id: number
  day: number
  now: number
}

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
    return Object.hasOwn(terms, name) && isFit ? (terms[name]?.({ term: name, id, day, now }) ?? []) : []
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

/** A term without an id. Its condition is SQL over one row, which has the alias `R`; triggers count the rows. */
export function where(condition: string): Terms[string] {
  return ({ term }) => new TermCondition(term, condition)
}

/** A term with the id that this column holds. */
export function idIn(column: string): Terms[string] {
  return ({ id }) => sql<SqlBool>`${sql.ref(column)} = ${id}`
}

abstract class OneCondition implements Expression<SqlBool> {
  readonly #condition: Expression<SqlBool>

  constructor(condition: Expression<SqlBool>) {
    this.#condition = condition
  }

  get expressionType(): SqlBool | undefined {
    return undefined
  }

  toOperationNode() {
    return this.#condition.toOperationNode()
  }
}

/** That a term holds of which triggers count the rows. */
export class TermCondition extends OneCondition {
  readonly term: string
  /** 1 for a row that fulfils the term, else 0, as SQL over a row with the alias `R`. */
  readonly n: string

  constructor(term: string, condition: string) {
    // As it is, so that a partial index with the same condition can serve it.
    super(sql.raw(condition.replaceAll('R.', '')))
    this.term = term
    this.n = `case when ${condition} then 1 else 0 end`
  }
}

/** That a condition holds and a column, which holds epoch milliseconds, lies in the past. Triggers count the rows by day. */
export class PastCondition extends OneCondition {
  readonly term: string
  /** 1 for a row that fulfils the condition, else 0, as SQL over a row with the alias `R`. */
  readonly n: string
  readonly column: string
  readonly now: number
  /** The rows of the day in Nairobi that it is now. */
  readonly today: Expression<SqlBool>

  constructor(term: string, { condition, column, now }: { condition: string; column: string; now: number }) {
    const holds = sql.raw(condition.replaceAll('R.', ''))
    const time = sql.ref(column)
    // `+ 0`: the newest records are read by an index of the condition, not all of them by one of the time and then sorted.
    super(sql<SqlBool>`(${holds} and ${time} + 0 < ${now})`)
    this.term = term
    this.n = `case when ${condition} then 1 else 0 end`
    this.column = column
    this.now = now
    this.today = sql<SqlBool>`${holds} and ${time} < ${now} and ${time} >= ${dayOf(nairobiDate(now))}`
  }
}

/** A term without an id: the condition holds, and the time in the column is over. */
export function past(condition: string, column: string): Terms[string] {
  return ({ term, now }) => new PastCondition(term, { condition, column, now })
}

/** That a column, which holds epoch milliseconds, is from one time on and before another one. Both begin a day in Nairobi. */
export class DayCondition extends OneCondition {
  readonly column: string
  readonly from: number | null
  readonly before: number | null

  constructor(column: string, from: number | null, before: number | null) {
    super(within(sql.ref(column), from, before))
    this.column = column
    this.from = from
    this.before = before
  }

  /** The same in a form that no index answers. */
  get plain(): Expression<SqlBool> {
    return within(sql`(${sql.ref(this.column)} + 0)`, this.from, this.before)
  }
}

function within(value: Expression<unknown>, from: number | null, before: number | null): Expression<SqlBool> {
  const parts = [
    ...(from === null ? [] : [sql`${value} >= ${from}`]),
    ...(before === null ? [] : [sql`${value} < ${before}`]),
  ]
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`
}

/** What triggers count of a list. SQL over a row with the alias `R`. */
export interface Counted {
  /** 1 for a row that fulfils a term, else 0. */
  terms: Record<string, string>
  /** What is counted for each day: the term, '' for all rows, the column with the time, and 1 for a row that counts. */
  daily: { term: string; at: string; n: string }[]
}

export function countedOf(terms: Terms): Counted {
  const all = Object.entries(terms).map(([term, condition]) => condition({ term, id: 0, day: 0, now: 0 }))
  const counted = all.filter((one) => one instanceof TermCondition)
  const days = all.find((one) => one instanceof DayCondition)
  return {
    terms: Object.fromEntries(counted.map(({ term, n }) => [term, n])),
    daily: [
      ...(days ? [{ term: '', n: '1' }, ...counted] : []).map(({ term, n }) => ({
        ...{ term, n, at: `R.${days?.column ?? ''}` },
      })),
      ...all.flatMap((one) =>
        one instanceof PastCondition ? { term: one.term, n: one.n, at: `R.${one.column}` } : [],
      ),
    ],
  }
}

/**
 * Terms for the days in Nairobi of a column that holds epoch milliseconds: `from:2026-03-04` and `to:2026-03-31`, both
 * included; the day, the week from Monday on and the month that it is now.
 */
export const days = (column: string): Terms => ({
  today: between(column, (today) => [today, today + dayLength]),
  yesterday: between(column, (today) => [today - dayLength, today]),
  'this-week': between(column, (today) => [mondayOf(today), mondayOf(today) + 7 * dayLength]),
  'this-month': between(column, (today) => [monthOf(today, 0), monthOf(today, 1)]),
  'from:': ({ day }) => new DayCondition(column, day, null),
  'to:': ({ day }) => new DayCondition(column, null, day + dayLength),
})

/** The term for the day after this one, where dates lie ahead. */
export const tomorrow = (column: string): Terms => ({
  tomorrow: between(column, (today) => [today + dayLength, today + 2 * dayLength]),
})

function between(column: string, times: (today: number) => [from: number, before: number]): Terms[string] {
  return ({ now }) => new DayCondition(column, ...times(dayOf(nairobiDate(now))))
}

/** 1 January 1970 was a Thursday. */
const mondayOf = (day: number) => day - (((day + nairobiOffset) / dayLength + 3) % 7) * dayLength
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
    names.map((name) => [name.toLowerCase().replace(' ', '-'), where(`R.status = '${name}'`)]),
  )
}
