import type { Engine } from '../db/engine.ts'
import { wrongNumbers } from '../db/wrong-numbers.ts'
import type { Finding } from './finding.ts'
import { ask, mostListed } from './finding.ts'

const todo =
  'Stop the server, and let it compute everything again: delete the rows of the table meta whose name begins with ' +
  '"derived.", then start it.'

/** Counters, totals, numbers by hour and the indexes of the search, compared with the rows that they belong to. */
export async function* checkNumbers(engine: Engine): AsyncGenerator<Finding> {
  for (const query of wrongNumbers()) {
    const wrong = await ask<{ name: string; stored: number; counted: number }>(
      engine,
      `${query} limit ${mostListed}`,
    )
    for (const { name, stored, counted } of wrong)
      yield { what: `${name} is ${stored} and should be ${counted}`, todo }
  }
  for (const { table, index } of fullTextIndexes(engine)) {
    const rows = await ask<{ n: number }>(
      engine,
      `select count(*) as n from (select id from ${table} except select id from ${index}_docsize)`,
    )
    if (rows[0]?.n) yield { what: `${rows[0].n} rows of ${table} are not in the index ${index}`, todo }
  }
}

/** The indexes of SQLite that triggers maintain. Those of PostgreSQL are indexes of their tables. */
function fullTextIndexes({ derived }: Engine): { table: string; index: string }[] {
  return derived.flatMap(({ create }) =>
    create.flatMap((statement) => {
      const [, index, table] =
        /^create virtual table ((\w+)_(?:words|trigrams)) using fts5\(/.exec(statement) ?? []
      return index && table ? [{ table, index }] : []
    }),
  )
}
