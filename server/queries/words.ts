import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { likePattern } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import { every } from '../db/ids.ts'
import { fold } from '../fold.ts'
import { wordsOf } from '../words.ts'

/** The time in which an index finds the rows with one of several words grows with the number of words. */
const mostListed = 500

/**
 * Rows of the table whose `search` contains every word of the text, in any order. Text that consists of apostrophes,
 * dashes and the like has no words and is taken literally.
 */
export async function containsWords(engine: Engine, table: string, text: string): Promise<Condition> {
  const words = wordsOf(text)
  if (words.length === 0)
    return sql`${sql.ref(`${table}.search`)} like ${likePattern(fold(text))} escape '\\'`
  const lists: string[][] = []
  const others: string[] = []
  for (const word of words) {
    const listed = engine.isListed(table, word) ? await listedWith(engine, table, word) : null
    if (listed !== null && listed.length <= mostListed) lists.push(listed)
    else others.push(word)
  }
  if (lists.some((list) => list.length === 0)) return sql`1 = 0`
  if (lists.length === 0) return engine.contains(table, 'search', others)
  const found = engine.hasWords(table, lists)
  return others.length === 0 ? found : every([found, engine.contains(table, 'search', others)])
}

/** The words of the table that contain this one. */
async function listedWith(engine: Engine, table: string, part: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`select word from ${sql.table(`${table}_vocabulary`)}
    where word like ${likePattern(part)} escape '\\' limit ${mostListed + 1}`.execute(engine.searching)
  return rows.map(({ word }) => word)
}
