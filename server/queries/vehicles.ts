import type { Selectable } from 'kysely'
import type { Vehicle } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { foldPlate } from '../fold.ts'
import type { ListSource } from './list.ts'
import { phoneOfAny } from './people.ts'
import { iso } from './wire.ts'

/** `s` is a number plate, with or without its spaces. */
export const vehicles: ListSource<VehicleRow, Vehicle> = {
  table: 'vehicles',
  orderings: { id: 'id', registration: 'search' },
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
  answer: (row) => ({
    id: row.id,
    registration: row.registration,
    color: row.color,
    driver: { user: { fullname: row.fullname, date_joined: iso(row.date_joined) } },
  }),
}

type VehicleRow = Selectable<Database['vehicles']> & { fullname: string; date_joined: number }
