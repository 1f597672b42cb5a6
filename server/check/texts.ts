import type { Engine } from '../db/engine.ts'
import { fullTexts } from '../db/sqlite.ts'
import type { Noun } from '../nouns/noun.ts'
import { nouns } from '../nouns.ts'
import type { Finding } from './finding.ts'
import { ask, mostListed, recompute, restoreOrRepair } from './finding.ts'
import { isSameIndex } from './full-text.ts'

/**
 * What searches read, compared with the records: the columns `search`, the lists of words, the full-text indexes of SQLite, and the copies of
 * texts on PostgreSQL. The indexes of PostgreSQL are not compared, because no trigger of ours maintains them.
 */
export async function* checkTexts(engine: Engine): AsyncGenerator<Finding> {
  for (const noun of nouns) yield* checkColumn(engine, noun)
  for (const one of engine.name === 'sqlite' ? fullTexts() : [])
    if (!(await isSameIndex(engine, one)))
      yield { what: `The index ${one.index} does not have the words of ${one.table}`, todo: recompute }
  for (const { list, table, of, query } of engine.derived.flatMap(({ missing }) => missing)) {
    const [{ n } = { n: 0 }] = await ask<{ n: number }>(engine, query)
    const what =
      of === 'words' ? `${list} lacks ${n} words of ${table}` : `${list} differs from ${n} texts of ${table}`
    if (n > 0) yield { what, todo: recompute }
  }
}

const part = 5_000

/** Reads the rows in parts, because the texts are folded in this process. */
async function* checkColumn(
  engine: Engine,
  { table, searchOf, searchColumns }: Noun,
): AsyncGenerator<Finding> {
  if (!searchOf) return
  const names = searchColumns.join(', ')
  let wrong = 0
  for (let after: number | null = 0; after !== null;) {
    const rows: { id: number; search: string }[] = await ask(
      engine,
      `select id, search, ${names} from ${table} where id > ${after} order by id limit ${part}`,
    )
    for (const row of rows) {
      const right = searchOf(row).trim()
      if (row.search.trim() === right || ++wrong > mostListed) continue
      yield {
        what: `The column search of ${table} ${row.id} does not fit its ${names}`,
        todo: `Correct it in the database: update ${table} set search = '${right.replaceAll("'", "''")}' where id = ${row.id}`,
      }
    }
    // Rows that are added meanwhile would keep the last part from being empty.
    after = rows.length < part ? null : (rows.at(-1)?.id ?? null)
  }
  if (wrong > mostListed)
    yield { what: `${wrong - mostListed} more rows of ${table} have such a column`, todo: restoreOrRepair }
}
