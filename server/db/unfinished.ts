import { sql } from 'kysely'
import { OperatorError } from '../operator-error.ts'
import type { Engine } from './engine.ts'

/** A table that a database has from the beginning of a restore to its end. */
export const unfinishedTable = 'restore_unfinished'

export async function markUnfinished({ db }: Engine): Promise<void> {
  await sql`create table ${sql.table(unfinishedTable)} (since text)`.execute(db)
}

export async function unmark({ db }: Engine): Promise<void> {
  await sql`drop table ${sql.table(unfinishedTable)}`.execute(db)
}

/** Throws OperatorError if the database of these tables is only half restored. */
export function requireFinished(tables: string[], place: string): void {
  if (tables.includes(unfinishedTable))
    throw new OperatorError(
      `A restore into ${place} was interrupted, so a part of the data is missing. Restore the backup into an empty place.`,
    )
}
