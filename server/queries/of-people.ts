import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { IdQuery } from '../db/ids.ts'
import { any, ids } from '../db/ids.ts'
import { begins, phoneMatches } from './matching.ts'
import { inTurn } from './in-turn.ts'
import { newest, newestOf, spaced } from './newest.ts'
import type { Sought } from './sought.ts'

/** Tables of people, and the SQL of the id of the one whom a record is of. */
export type People = { table: 'drivers' | 'customers'; id: string }[]

/** Of more people the records are not collected; those of the newest are. */
const mostPeople = 500

/**
 * The records of the people who are found by name or phone number: those among the newest records if there are enough of
 * them, otherwise those of the newest people.
 */
export function ofPeople(engine: Engine, table: string, people: People, sought: Sought): IdQuery[] {
  const parts = people.map(({ table: of, id }) => partOf(engine, table, of, id, sought))
  const rows = newestOf(sql`select * from ${sql.table(table)}`)
  const recent = ids(sql`(${rows}) as ${sql.table(table)}`, [any(parts.map(({ scan }) => scan))])
  const onlyIfEnough: IdQuery = (also, limit) =>
    sql`with recent as materialized (${recent(also, limit)})
      select id from recent where (select count(*) from recent) >= ${limit}`
  const all: IdQuery = (also, limit) => {
    const lists = parts.map(({ records }) => sql`select id from (${records(also, limit)}) as records`)
    return sql`select id from (${sql.join(lists, sql` union `)}) as records order by id desc limit ${limit}`
  }
  return [onlyIfEnough, all]
}

/** For one table of people: whether a record is of one whom the search finds, and all records of those. */
function partOf(engine: Engine, table: string, of: 'drivers' | 'customers', id: string, sought: Sought) {
  const text = { table: of, text: 'R.search' }
  const matches = [begins(engine, text, sought.words), ...phoneMatches(engine, text, sought)]
  // In `where`, SQLite compares no further word after one that is missing.
  const scan = sql<boolean>`(select 1 from (${spaced(text)}) as ${sql.table(of)}
    where ${sql.ref(`${of}.id`)} = ${sql.raw(id)} and ${any(matches.map((match) => match.scan))}) is not null`
  const found = matches.map((match) => {
    const inAnyWay = inTurn(text, newest(text, match), [], mostPeople)
    return sql`select id from (select distinct id from (${inAnyWay}) as way order by id desc limit ${mostPeople}) as person`
  })
  const records = engine.collected(table, [
    sql<boolean>`${sql.raw(id)} in (${sql.join(found, sql` union `)})`,
  ])
  return { scan, records }
}
