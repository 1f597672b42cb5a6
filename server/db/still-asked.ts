import { sql } from 'kysely'
import type { Condition } from './ids.ts'
import { stillAsked } from './sqlite-statements.ts'

/** Holds for every row. It calls the function for each 256th id, because SQLite cannot be told to stop. */
export const whileAsked = (id: string): Condition => sql`(${sql.ref(id)} & 255 or ${sql.raw(stillAsked)}())`
