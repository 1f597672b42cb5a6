import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { likePattern } from '../db/engine.ts'
import { fold } from '../fold.ts'
import { wordsOf } from '../words.ts'

/**
 * Rows of the table whose `search` contains every word of the text, in any order. Text that consists of apostrophes,
 * dashes and the like has no words and is taken literally.
 */
export function containsWords(engine: Engine, table: string, text: string): Expression<SqlBool> {
  const words = wordsOf(text)
  if (words.length > 0) return engine.contains(table, 'search', ...words)
  return sql<SqlBool>`${sql.ref(`${table}.search`)} like ${likePattern(fold(text))} escape '\\'`
}
