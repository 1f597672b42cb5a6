import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'

/** By term of `filter`, its condition. A term whose name ends with a colon is followed by an id: `driver:12`. */
export type Terms = Record<string, (given: { id: number; now: number }) => Expression<SqlBool>>

/** The terms of a filter that are declared, as conditions, and whether all of them are. */
export function readFilter(
  terms: Terms,
  filter: string,
  now: number,
): { conditions: Expression<SqlBool>[]; allKnown: boolean } {
  const given = filter.split(',').flatMap((term) => term.trim() || [])
  const conditions = given.flatMap((term) => {
    const [, name = '', digits = ''] = /^([^:]+:?)(.*)$/.exec(term) ?? []
    const id = name.endsWith(':') ? Number(/^[1-9]\d{0,15}$/.exec(digits)?.[0]) : 0
    return Object.hasOwn(terms, name) && Number.isSafeInteger(id) ? (terms[name]?.({ id, now }) ?? []) : []
  })
  return { conditions, allKnown: conditions.length === given.length }
}

/** A term without an id; the condition is SQL as it is, so that a partial index with the same condition can serve it. */
export function where(condition: string): Terms[string] {
  return () => sql.raw(condition)
}

/** A term with the id that this column holds. */
export function idIn(column: string): Terms[string] {
  return ({ id }) => sql<SqlBool>`${sql.ref(column)} = ${id}`
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
