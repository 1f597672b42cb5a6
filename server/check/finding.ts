import type { QueryResult } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'

/** Something that is wrong, and what to do about it. */
export interface Finding {
  what: string
  todo: string
}

export const restoreOrRepair =
  'Make a copy of everything, then restore the newest backup into an empty place: npm run restore -- FILE'

export const recompute =
  'Stop the server, and let it compute everything again: delete the rows of the table meta whose name begins with ' +
  '"derived.", then start it.'

/** Runs a statement that only reads and may take minutes. */
export async function ask<Row>({ db, withoutTimeout }: Engine, query: string): Promise<Row[]> {
  const { rows } = await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx): Promise<QueryResult<Row>> => {
      await runAll(trx, withoutTimeout)
      return sql.raw<Row>(query).execute(trx)
    })
  return rows
}

/** How many of the same kind are listed. */
export const mostListed = 5
