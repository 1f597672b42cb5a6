import { sql } from 'kysely'
import type { Engine, Word } from '../db/engine.ts'
import { escapeLike, hasLongPart, plain } from '../db/engine.ts'
import type { Condition, IdQuery } from '../db/ids.ts'
import { any, every } from '../db/ids.ts'
import { digitsOf } from '../fold.ts'
import type { Match, Text } from './newest.ts'
import { byPhone, likePhone } from './people.ts'
import type { Sought } from './sought.ts'

/** Each word begins a word of the text. */
export const begins = (engine: Engine, of: Text, words: string[]): Match =>
  hasWords(engine, of, asBegun(words))

/** For each list, the text has one of its words, or one that begins so. */
export function hasWords(engine: Engine, { table }: Text, words: Word[][]): Match {
  const scans = words.map((some) =>
    some.map(({ as, text }) => like(`${table}.spaced`, `% ${escapeLike(text)}${as === 'is' ? ' ' : ''}%`)),
  )
  return {
    scan: every(scans.map(any)),
    index: engine.withWords(table, words),
    newestFirst: engine.newestFirst,
  }
}

/** Each word begins a word of the text, and the first one begins the text. */
export function leads(engine: Engine, of: Text, words: string[]): Match {
  const [first = [], ...rest] = asBegun(words)
  const starts = [first.map((word): Word => ({ ...word, as: 'leads' })), ...rest]
  return {
    scan: every([
      like(`${of.table}.spaced`, ` ${escapeLike(words[0] ?? '')}%`),
      begins(engine, of, words).scan,
    ]),
    index: engine.withWords(of.table, starts),
    newestFirst: engine.newestFirst,
  }
}

/** Each word is somewhere in `search`. The index helps from three characters on. */
export function contains(engine: Engine, { table, text }: Text, words: string[]): Match {
  const search = text === 'R.search' ? `${table}.spaced` : plain(`${table}.search`)
  return {
    scan: every(words.map((word) => like(search, `%${escapeLike(word)}%`))),
    index: hasLongPart(words) ? engine.withParts(table, words) : null,
    newestFirst: engine.newestFirst,
  }
}

/** The digits are parts of the phone number, and each word begins a word of the text. */
function hasPhone(engine: Engine, of: Text, digits: string[], words: string[]): Match {
  const { table } = of
  const phone = every(digits.map((some) => likePhone(`${table}.phone_number`, some)))
  if (words.length > 0) {
    const withWords = engine.withWords(table, asBegun(words))
    return {
      scan: every([phone, begins(engine, of, words).scan]),
      index: (also, limit) => withWords([phone, ...also], limit),
      newestFirst: false,
    }
  }
  const indexed = digits.map((some) => byPhone(engine, table, some))
  return { scan: phone, index: engine.collected(table, indexed), newestFirst: false }
}

/** All of the text as one part of a phone number, or only its words that are digits. */
export function phoneMatches(engine: Engine, of: Text, { words, digits }: Sought): Match[] {
  if (digits) return [hasPhone(engine, of, [digits], [])]
  const parts = words.filter((word) => /^\+?\d{3,}$/.test(word))
  const rest = words.filter((word) => !parts.includes(word))
  return parts.length > 0 ? [hasPhone(engine, of, parts.map(digitsOf), rest)] : []
}

/** Each letter begins a word of the text, one word after the other. */
export const hasInitials = (engine: Engine, { table }: Text, text: string): IdQuery =>
  engine.withWords(table, [[{ as: 'initials', text }]])

const asBegun = (words: string[]) => words.map((text): Word[] => [{ as: 'begins', text }])

const like = (text: string, pattern: string): Condition => sql`${sql.raw(text)} like ${pattern} escape '\\'`
