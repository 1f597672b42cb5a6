import type { SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import { any, anyIndexed, idsWhere } from '../db/ids.ts'
import { digitsOf } from '../fold.ts'
import type { Filters, ListQuery } from './list.ts'
import { containsWords } from './words.ts'

/** Filters of a list of people: the words of `s` in the name, `phone` in the number. */
export function personFilters(engine: Engine, table: string, query: ListQuery): Filters {
  return [
    ...(query.s ? [containsWords(engine, table, query.s)] : []),
    ...(query.phone ? [byPhone(engine, table, query.phone)] : []),
  ]
}

/** Records of the table whose driver or customer, by these columns, has the phone number. */
export function phoneOfAny(engine: Engine, table: string, columns: Columns, phone: string): Condition[] {
  return phone ? [anyOf(engine, table, phonesOf(engine, columns, phone))] : []
}

/** For each of these columns, records with a driver or customer whose name contains every word of the text. */
export function namesOf(engine: Engine, columns: Columns, text: string): Promise<Condition[]> {
  return Promise.all(
    Object.entries(columns).map(async ([table, column]) =>
      ofPerson(table, column, await containsWords(engine, table, text)),
    ),
  )
}

export async function nameOfAny(
  engine: Engine,
  table: string,
  columns: Columns,
  text: string,
): Promise<Condition> {
  return anyOf(engine, table, await namesOf(engine, columns, text))
}

/** As `nameOfAny`; text that looks like a phone number is searched in the phone number too. */
export async function nameOrPhoneOfAny(
  engine: Engine,
  table: string,
  columns: Columns,
  text: string,
): Promise<Condition> {
  const names = await namesOf(engine, columns, text)
  const isPhone = /^[+\d\s()-]*\d[+\d\s()-]*$/.test(text)
  return anyOf(engine, table, isPhone ? [...names, ...phonesOf(engine, columns, text)] : names)
}

/** PostgreSQL would use none of the indexes if several conditions were alternatives in one: it would read the whole table. */
const anyOf = (engine: Engine, table: string, conditions: Condition[]): Condition =>
  conditions.length > 1 ? anyIndexed(table, conditions, engine.whileAsked(`${table}.id`)) : any(conditions)

/** Table of people to the column that holds the id of one of them. */
type Columns = Record<string, string>

const phonesOf = (engine: Engine, columns: Columns, phone: string) =>
  Object.entries(columns).map(([table, column]) => ofPerson(table, column, byPhone(engine, table, phone)))

const ofPerson = (table: string, column: string, condition: Condition): Condition =>
  sql`${sql.ref(column)} in (${idsWhere(table, condition)})`

/**
 * Finds the digits anywhere in the phone number. Digits that begin with the country code 254 must be at its beginning, and a
 * local number (07…, 01…) also matches its international form. A whole Kenyan number also matches its local form. Text without a
 * digit matches nothing.
 */
export function byPhone(engine: Engine, table: string, phone: string): Condition {
  const digits = digitsOf(phone).replace(/^00(?=254)/, '')
  if (!digits) return sql`1 = 0`
  const [, subscriber] = /^2540?([17]\d{8})$/.exec(digits) ?? []
  if (subscriber) {
    const international = engine.startsWith(table, 'phone_number', `254${subscriber}`)
    return sql`(${international} or ${sql.ref(`${table}.phone_number`)} = ${`0${subscriber}`})`
  }
  if (digits.startsWith('254')) return engine.startsWith(table, 'phone_number', digits)
  const anywhere = engine.contains(table, 'phone_number', [digits])
  if (!digits.startsWith('0')) return anywhere
  const international = engine.startsWith(table, 'phone_number', `254${digits.slice(1)}`)
  const here = digits.length < 3 ? engine.startsWith(table, 'phone_number', digits) : anywhere
  return sql`(${here} or ${international})`
}

/** The same for three digits or more, compared row by row. */
export function likePhone(column: string, digits: string): Condition {
  const like = (pattern: string): Condition => sql`${sql.ref(column)} like ${pattern}`
  const begins = (some: string) => sql<SqlBool>`(${like(`${some}%`)} or ${like(`+${some}%`)})`
  if (digits.startsWith('254')) return begins(digits)
  if (!digits.startsWith('0')) return like(`%${digits}%`)
  return sql`(${like(`%${digits}%`)} or ${begins(`254${digits.slice(1)}`)})`
}
