import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'

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

/**
 * The first and the last day of a column that holds epoch milliseconds. `plain` is the same condition in a form that no index
 * answers.
 */
export class DayCondition implements Expression<SqlBool> {
  readonly #condition: Expression<SqlBool>
  readonly plain: Expression<SqlBool>

  constructor(column: string, comparison: '>=' | '<', time: number) {
    const compared = sql.raw(comparison)
    this.#condition = sql<SqlBool>`${sql.ref(column)} ${compared} ${time}`
    this.plain = sql<SqlBool>`${sql.ref(column)} + 0 ${compared} ${time}`
  }

  get expressionType(): SqlBool | undefined {
    return undefined
  }

  toOperationNode() {
    return this.#condition.toOperationNode()
  }
}

/** Terms for the days of a column that holds epoch milliseconds: `from:2026-03-04` and `to:2026-03-31`, both included. */
export const days = (column: string): Terms => ({
  'from:': ({ day }) => new DayCondition(column, '>=', day),
  'to:': ({ day }) => new DayCondition(column, '<', day + 24 * 60 * 60_000),
})

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
