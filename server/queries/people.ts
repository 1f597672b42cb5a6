import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { idsWhere } from '../db/ids.ts'
import { digitsOf } from '../fold.ts'
import type { ListQuery } from './list.ts'
import { containsWords } from './words.ts'

/** Filters of a list of people: the words of `s` in the name, `phone` in the number. */
export function personFilters(engine: Engine, table: string, query: ListQuery): Expression<SqlBool>[] {
  return [
    ...(query.s ? [containsWords(engine, table, query.s)] : []),
    ...(query.phone ? [byPhone(engine, table, query.phone)] : []),
  ]
}

/** Records whose driver or customer, by these columns, has the phone number. */
export function phoneOfAny(engine: Engine, columns: Columns, phone: string): Expression<SqlBool>[] {
  return phone ? [any(columns, (table) => byPhone(engine, table, phone))] : []
}

/** Records with a driver or customer, by these columns, whose name contains every word of the text. */
export function nameOfAny(engine: Engine, columns: Columns, text: string): Expression<SqlBool> {
  return any(columns, (table) => containsWords(engine, table, text))
}

/** As `nameOfAny`; text that looks like a phone number is searched in the phone number too. */
export function nameOrPhoneOfAny(engine: Engine, columns: Columns, text: string): Expression<SqlBool> {
  if (!/^[+\d\s()-]*\d[+\d\s()-]*$/.test(text)) return nameOfAny(engine, columns, text)
  return sql<SqlBool>`(${nameOfAny(engine, columns, text)} or ${any(columns, (table) => byPhone(engine, table, text))})`
}

/** Table of people to the column that holds the id of one of them. */
type Columns = Record<string, string>

function any(columns: Columns, condition: (table: string) => Expression<SqlBool>): Expression<SqlBool> {
  const parts = Object.entries(columns).map(
    ([table, column]) => sql`${sql.ref(column)} in (${idsWhere(table, condition(table))})`,
  )
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}

/**
 * Finds the digits anywhere in the phone number. Digits that begin with the country code 254 must be at its beginning, and a
 * local number (07…, 01…) also matches its international form. Text without a digit matches nothing.
 */
export function byPhone(engine: Engine, table: string, phone: string): Expression<SqlBool> {
  const digits = digitsOf(phone)
  if (!digits) return sql<SqlBool>`1 = 0`
  if (digits.startsWith('254')) return engine.startsWith(table, 'phone_number', digits)
  const anywhere = engine.contains(table, 'phone_number', [digits])
  if (!digits.startsWith('0')) return anywhere
  const international = engine.startsWith(table, 'phone_number', `254${digits.slice(1)}`)
  const here = digits.length < 3 ? engine.startsWith(table, 'phone_number', digits) : anywhere
  return sql<SqlBool>`(${here} or ${international})`
}

/** The same for three digits or more, compared row by row. */
export function likePhone(column: string, digits: string): Expression<SqlBool> {
  const like = (pattern: string) => sql<SqlBool>`${sql.ref(column)} like ${pattern}`
  if (digits.startsWith('254')) return like(`${digits}%`)
  if (!digits.startsWith('0')) return like(`%${digits}%`)
  return sql<SqlBool>`(${like(`%${digits}%`)} or ${like(`254${digits.slice(1)}%`)})`
}
