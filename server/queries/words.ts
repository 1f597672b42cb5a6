import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { likePattern } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import { IndexedCondition, every } from '../db/ids.ts'
import { fold } from '../fold.ts'
import { wordsOf } from '../words.ts'

/**
 * Rows of the table whose `search` contains every word of the text, in any order. Text that consists of apostrophes,
 * dashes and the like has no words and is taken literally.
 */
export async function containsWords(engine: Engine, table: string, text: string): Promise<Condition> {
  const words = wordsOf(text)
  if (words.length === 0)
    return sql`${sql.ref(`${table}.search`)} like ${likePattern(fold(text))} escape '\\'`
  const lists = await listsOf(engine, table, engine.listed(table, words))
  for (const [part, list] of lists) if (list.length > engine.mostListed(table, part)) lists.delete(part)
  const others = words.filter((word) => !lists.has(word))
  if (lists.size === 0) return engine.contains(table, 'search', others)
  if ([...lists.values()].some((list) => list.length === 0)) return noRow(table)
  const found = engine.hasWords(table, [...lists.values()])
  return others.length === 0 ? found : every([found, engine.contains(table, 'search', others)])
}

/** Holds for no row, and reads none to find that out. */
const noRow = (table: string) =>
  new IndexedCondition(sql.ref(`${table}.id`), sql<{ id: number }>`select 0 as id where 1 = 0`)

/** For each of these parts of words, the words of the table that contain it: all of them, or one more than the most that are used. */
async function listsOf(
  engine: Engine,
  table: string,
  parts: readonly string[],
): Promise<Map<string, string[]>> {
  const lists = new Map(parts.map((part) => [part, Array.of<string>()]))
  if (parts.length === 0) return lists
  const withPart = (part: string) => sql`select ${sql.val(part)} as part, word from (
    select word from ${sql.table(`${table}_vocabulary`)} where word like ${likePattern(part)} escape '\\' limit ${engine.mostListed(table, part) + 1}
  ) as found`
  const all = sql<{
    part: string
    word: string
  }>`${sql.join([...lists.keys()].map(withPart), sql` union all `)}`
  const { rows } = await all.execute(engine.readingWords(table))
  for (const { part, word } of rows) lists.get(part)?.push(word)
  return lists
}
