import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { escapeLike } from '../db/engine.ts'
import { byPhone } from './people.ts'
import type { Sought } from './sought.ts'
import { typosOf } from './typos.ts'

type Condition = Expression<SqlBool>

/** Each word begins a word of the text or, with three digits or more, is part of the phone number. */
export function allWords(
  engine: Engine,
  { text, phone, table }: { text: string; phone: boolean; table: string },
  { words, digits }: Sought,
): Condition {
  const conditions = words.map((word) => {
    const begins = like(spaced(engine, text), `% ${escapeLike(word)}%`)
    return phone && /^\+?\d{3,}$/.test(word) ? either([begins, byPhone(engine, table, word)]) : begins
  })
  const all = sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
  return phone && digits ? either([all, byPhone(engine, table, digits)]) : all
}

/** The first word of the text begins with this one. */
export const leads = (engine: Engine, text: string, word: string): Condition =>
  like(engine.plain(text), `${escapeLike(word)}%`)

/** Each letter begins a word of the text, one word after the other. */
export const hasInitials = (engine: Engine, text: string, initials: string): Condition =>
  like(spaced(engine, text), `% ${[...initials].map(escapeLike).join('% ')}%`)

/** Each word is somewhere in the text. */
export function contains(engine: Engine, text: string, words: string[]): Condition {
  const conditions = words.map((word) => like(engine.plain(text), `%${escapeLike(word)}%`))
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** A word of the text is this one with one typing error, or begins with it. */
export function isTypoOrBegins(engine: Engine, text: string, word: string): Condition {
  const [before, after] = [spaced(engine, text), `${spaced(engine, text)} || ' '`]
  return either([
    like(before, `% ${escapeLike(word)}%`),
    ...typosOf(word).map((typo) => like(after, `% ${typo} %`)),
  ])
}

/** Records of people who are found by words; `people` is table to the SQL of the id. */
export function ofPeople(engine: Engine, people: Record<string, string>, sought: Sought): Condition {
  return either(
    Object.entries(people).map(
      ([table, id]) =>
        sql`${sql.raw(id)} in (select id from ${sql.table(table)}
          where ${allWords(engine, { text: 'search', phone: true, table }, sought)})`,
    ),
  )
}

const spaced = (engine: Engine, text: string) => `' ' || ${engine.plain(text)}`

const like = (text: string, pattern: string) => sql<SqlBool>`${sql.raw(text)} like ${pattern} escape '\\'`

const either = (conditions: Expression<unknown>[]) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
