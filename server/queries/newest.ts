import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { plain } from '../db/engine.ts'
import type { Condition, IdQuery } from '../db/ids.ts'
import { ids } from '../db/ids.ts'

/** A table and the SQL of its text, over the alias `R`. */
export interface Text {
  table: string
  text: string
}

/** One question about a record, asked in two ways. */
export interface Match {
  /** Compares row by row, over rows of `spaced`. */
  scan: Condition
  /** Is answered by an index; null where none can. */
  index: IdQuery | null
  /** Whether this index answers the newest matches first. */
  newestFirst: boolean
}

/** A query that may read `newest_rows`: those of the newest rows for which this condition, or that of another step, holds. */
export interface Step {
  scan?: Condition
  query: IdQuery
}

/** Where this many of the newest rows hold too few matches, matches are rare enough to be collected from an index. */
const recent = 2000

/**
 * The queries for the newest matches, each to be asked only if those before it found too few. An index that does not answer
 * the newest ones first has to collect all matches, which takes long for frequent ones; those are found among the newest
 * rows. Without an index, older rows are not looked at.
 */
export function newest({ table }: Text, { scan, index, newestFirst }: Match): Step[] {
  const scanned = { scan, query: ids(sql`newest_rows as ${sql.table(table)}`, [scan]) }
  if (!index) return [scanned]
  return newestFirst ? [{ query: index }] : [scanned, { query: index }]
}

/** The rows of a table with the plain form of their text between two spaces, as the column `spaced`. It has no further space before it. */
export function spaced({ table, text }: Text): RawBuilder<unknown> {
  const words = plain(text.replaceAll('R.', `${table}.`))
  return sql`select *, ' ' || ltrim(${sql.raw(words)}) || ' ' as spaced from ${sql.table(table)}`
}

export const newestOf = (rows: RawBuilder<unknown>) => sql`${rows} order by id desc limit ${sql.lit(recent)}`
