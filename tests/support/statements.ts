import { CompiledQuery } from 'kysely'
import type { Engine } from '../../server/db/engine.ts'
import { runAll } from '../../server/db/engine.ts'

/** The statements that `ask` sends through the engine that it is given. */
export async function statementsOf(
  engine: Engine,
  ask: (engine: Engine) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  const db = engine.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      statements.push(engine.db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await ask({ ...engine, db, reading: db, searching: db, readingWords: () => db })
  return statements
}

/** For each statement, how SQLite runs it. */
export function plansOnSqlite({ db }: Engine, statements: CompiledQuery[]): Promise<string[]> {
  return Promise.all(
    statements.map(async (statement) => {
      const explained = CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters])
      return JSON.stringify((await db.executeQuery(explained)).rows)
    }),
  )
}

/** For each statement, how PostgreSQL runs it where it cannot read tables from beginning to end, nor in these other ways. */
export function plansOnPostgres(
  { db }: Engine,
  statements: CompiledQuery[],
  without: 'bitmapscan'[] = [],
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await runAll(
      trx,
      ['seqscan', ...without].map((way) => `set local enable_${way} = off`),
    )
    const plans: string[] = []
    for (const statement of statements) {
      const explained = CompiledQuery.raw(`explain ${statement.sql}`, [...statement.parameters])
      plans.push(JSON.stringify((await trx.executeQuery(explained)).rows))
    }
    return plans
  })
}
