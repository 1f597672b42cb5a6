import { sql } from 'kysely'
import type { Condition } from './ids.ts'

/** The name of a function of SQLite that answers 1, and fails when nobody waits for the answer of the statement any more. */
export const stillAsked = 'still_asked'

/** Holds for every row. It calls the function for each 256th id, because SQLite cannot be told to stop. */
export const whileAsked = (id: string): Condition => sql`(${sql.ref(id)} & 255 or ${sql.raw(stillAsked)}())`
