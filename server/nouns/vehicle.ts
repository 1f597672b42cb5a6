import type { SqlBool } from 'kysely'
import { sql } from 'kysely'
import { Vehicle } from '../../src/api/contract.ts'
import type { Id } from '../db/columns.ts'
import { foldPlate } from '../fold.ts'
import { idIn } from '../queries/filter.ts'
import { phoneOfAny } from '../queries/people.ts'
import type { Sought } from '../queries/sought.ts'
import { iso } from '../queries/wire.ts'
import { containsWords } from '../queries/words.ts'
import { defineNoun } from './noun.ts'
import { foundByPeople } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    vehicles: { id: Id; driver_id: number; registration: string; color: string; search: string }
  }
}

const compactOf = (plate: string) => `replace(${plate}, '-', '')`

/** A number plate is compared without its spaces and dashes. */
export const samePlate = ({ compact: plate }: Sought) =>
  sql<SqlBool>`${sql.raw(compactOf('search'))} = ${plate}`

/** S3.5; `s` is a number plate, with or without its spaces. */
export const vehicle = defineNoun({
  name: 'vehicle',
  plural: 'vehicles',
  table: 'vehicles',
  list: { path: 'vehicles/', shape: Vehicle }, // S7.13
  orderings: { id: 'id', registration: 'search' },
  search: { columns: ['registration'], form: foldPlate },
  searched: ['search'],
  filters: (engine, { s, phone }) => [
    ...(s ? [containsWords(engine, 'vehicles', s)] : []),
    ...phoneOfAny(engine, 'vehicles', { drivers: 'driver_id' }, phone),
  ],
  terms: { 'driver:': idIn('driver_id') },
  found: {
    // KDA 342H is found by kda342h, by kda and by 342h.
    text: `${compactOf('R.search')} || ' ' || ltrim(${compactOf('R.search')}, 'abcdefghijklmnopqrstuvwxyz')`,
    equals: (sought) => [{ rank: 'plate', where: samePlate(sought) }],
    ...foundByPeople('drivers'),
  },
  rows: (db, ids) =>
    db
      .selectFrom('vehicles')
      .innerJoin('drivers', 'drivers.id', 'vehicles.driver_id')
      .selectAll('vehicles')
      .select(['drivers.fullname', 'drivers.date_joined'])
      .where('vehicles.id', 'in', ids),
  answer: (row): Vehicle => ({
    id: row.id,
    registration: row.registration,
    color: row.color,
    driver: { id: row.driver_id, user: { fullname: row.fullname, date_joined: iso(row.date_joined) } },
  }),
})
