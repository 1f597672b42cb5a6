import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine, Word } from '../db/engine.ts'
import { escapeLike } from '../db/engine.ts'
import type { Condition, Match } from './newest.ts'
import { byPhone, likePhone } from './people.ts'

/** A table and the SQL of its text, over the alias `R`. */
export interface Text {
  table: string
  text: string
}

/** Each word begins a word of the text. */
export const begins = (engine: Engine, of: Text, words: string[]): Match =>
  hasWords(
    engine,
    of,
    words.map((text) => [{ as: 'begins', text }]),
  )

/** For each list, the text has one of its words, or one that begins so. */
export function hasWords(engine: Engine, of: Text, words: Word[][]): Match {
  const spaced = `' ' || ${plainOf(engine, of)} || ' '`
  const scans = words.map((some) =>
    some.map(({ as, text }) => like(spaced, `% ${escapeLike(text)}${as === 'is' ? ' ' : ''}%`)),
  )
  return {
    scan: every(scans.map((some) => sql`(${sql.join(some, sql` or `)})`)),
    where: (newest) => engine.hasWords(of.table, words, newest),
  }
}

/** Each word begins a word of the text, and the first one begins the text. */
export function leads(engine: Engine, of: Text, words: string[]): Match {
  const { scan } = begins(engine, of, words)
  const starts = words.map((text, nth): Word[] => [{ as: nth === 0 ? 'leads' : 'begins', text }])
  return {
    scan: every([scan, like(plainOf(engine, of), `${escapeLike(words[0] ?? '')}%`)]),
    where: (newest) => engine.hasWords(of.table, starts, newest),
  }
}

/** Each word is somewhere in `search`. The index helps from three characters on. */
export function contains(engine: Engine, table: string, words: string[]): Match {
  const text = engine.plain(`${table}.search`)
  return {
    scan: every(words.map((word) => like(text, `%${escapeLike(word)}%`))),
    where: words.some((word) => [...word].length >= 3)
      ? (newest) => engine.contains(table, 'search', words, newest)
      : null,
  }
}

/** The digits are parts of the phone number, and each word begins a word of the text. */
export function hasPhone(engine: Engine, of: Text, digits: string[], words: string[]): Match {
  const scan = every(digits.map((some) => likePhone(`${of.table}.phone_number`, some)))
  if (words.length === 0)
    return { scan, where: () => every(digits.map((some) => byPhone(engine, of.table, some))) }
  const text = begins(engine, of, words)
  return { scan: every([scan, text.scan]), where: () => every([text.where?.() ?? text.scan, scan]) }
}

/** Each letter begins a word of the text, one word after the other. */
export const hasInitials = (engine: Engine, { table }: Text, text: string): Condition =>
  engine.hasWords(table, [[{ as: 'initials', text }]])

const plainOf = (engine: Engine, { table, text }: Text) => engine.plain(text.replaceAll('R.', `${table}.`))

const like = (text: string, pattern: string) => sql<SqlBool>`${sql.raw(text)} like ${pattern} escape '\\'`

const every = (conditions: Expression<unknown>[]) => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
