import { Vehicle } from '../../src/api/contract.ts'
import type { Id } from '../db/columns.ts'
import { foldPlate } from '../fold.ts'
import { phoneOfAny } from '../queries/people.ts'
import { iso } from '../queries/wire.ts'
import { defineNoun } from './noun.ts'

declare module '../db/schema.ts' {
  interface Database {
    vehicles: { id: Id; driver_id: number; registration: string; color: string; search: string }
  }
}

/** S3.5; `s` is a number plate, with or without its spaces. */
export const vehicle = defineNoun({
  name: 'vehicle',
  plural: 'vehicles',
  table: 'vehicles',
  list: { path: 'vehicles/', shape: Vehicle }, // S7.13
  orderings: { id: 'id', registration: 'search' },
  searched: ['search'],
  filters: (engine, { s, phone }) => [
    ...(s ? [engine.contains('vehicles', 'search', foldPlate(s))] : []),
    ...phoneOfAny(engine, { drivers: 'driver_id' }, phone),
  ],
  rows: (db, ids) =>
    db
      .selectFrom('vehicles')
      .innerJoin('drivers', 'drivers.id', 'vehicles.driver_id')
      .selectAll('vehicles')
      .select(['drivers.fullname', 'drivers.date_joined'])
      .where('vehicles.id', 'in', ids)
      .execute(),
  answer: (row): Vehicle => ({
    id: row.id,
    registration: row.registration,
    color: row.color,
    driver: { user: { fullname: row.fullname, date_joined: iso(row.date_joined) } },
  }),
})
