import type { Compilable, Generated, Selectable } from 'kysely'
import { sql } from 'kysely'
import { Driver } from '../../src/api/contract.ts'
import type { Flag } from '../db/columns.ts'
import type { Database } from '../db/schema.ts'
import type { SheetColumn } from '../export/sheet.ts'
import { spreadsheet } from '../export/spreadsheet.ts'
import { days, where } from '../queries/filter.ts'
import { personFilters } from '../queries/people.ts'
import { ksh } from '../queries/wire.ts'
import { registerDriver } from './driver-routes.ts'
import { defineNoun } from './noun.ts'
import type { PersonTable } from './person.ts'
import { personCells, personColumns, personEquals, personFound, personOrderings, userOf } from './person.ts'
import { samePlate } from './vehicle.ts'

declare module '../db/schema.ts' {
  interface Database {
    drivers: PersonTable & {
      image: string | null
      id_front: string | null
      id_back: string | null
      license: string | null
      online: Generated<Flag>
      busy: Generated<Flag>
      deleted: Generated<Flag>
      total_earnings: Generated<number>
      unpaid_invoices: Generated<number>
      version: Generated<number>
    }
  }
}

type DriverRow = Selectable<Database['drivers']> & { registration: string | null }

/** What the columns below show besides the cells of a person. */
const cells = ['total_earnings', 'online', 'busy', 'deleted'] as const

const columns: SheetColumn<
  Pick<DriverRow, 'id' | 'registration' | (typeof personCells)[number] | (typeof cells)[number]>
>[] = [
  ...personColumns,
  { header: 'Total earnings (KSh)', kind: 'money', width: 20, value: (row) => ksh(row.total_earnings) },
  { header: 'Registration', kind: 'text', width: 14, value: (row) => row.registration },
  {
    header: 'Status',
    kind: 'text',
    width: 14,
    value: ({ online, busy }) => `${online ? 'Online' : 'Offline'}${busy ? ' / Busy' : ''}`,
  },
  { header: 'Suspended', kind: 'text', width: 11, value: ({ deleted }) => (deleted ? 'Yes' : 'No') },
]

/** S3.2; suspended drivers stay in the list (rulings, lists). */
export const driver = defineNoun({
  name: 'driver',
  plural: 'drivers',
  table: 'drivers',
  list: { path: 'drivers/', shape: Driver }, // S7.3
  orderings: personOrderings,
  search: { columns: ['fullname'] },
  searched: ['search', 'phone_number'],
  vocabulary: true,
  filters: (engine, query) => personFilters(engine, 'drivers', query),
  terms: {
    suspended: where('R.deleted = 1'),
    active: where('R.deleted = 0'),
    online: where('R.online = 1'),
    offline: where('R.online = 0'),
    busy: where('R.busy = 1'),
    ...days('date_joined'),
    unpaid: where('R.unpaid_invoices > 0'),
  },
  found: {
    ...personFound,
    equals: (sought) => [
      {
        rank: 'plateOfVehicle',
        where: sql`id in (select driver_id from vehicles where ${samePlate(sought)})`,
      },
      ...personEquals(sought),
    ],
  },
  rows: (db, ids): Compilable<DriverRow> =>
    db
      .selectFrom('drivers')
      .leftJoin('vehicles', 'vehicles.driver_id', 'drivers.id')
      .selectAll('drivers')
      .select('vehicles.registration')
      .where('drivers.id', 'in', ids),
  answer: (row): Driver => ({
    id: row.id,
    user: userOf(row),
    image: row.image,
    id_front: row.id_front,
    id_back: row.id_back,
    license: row.license,
    vehicle: row.registration === null ? null : { registration: row.registration },
    online: row.online === 1,
    busy: row.busy === 1,
    deleted: row.deleted === 1,
    wallet_balance: ksh(row.wallet_balance),
    total_trips: row.total_trips,
    total_earnings: ksh(row.total_earnings),
    total_completed_trips: row.total_completed_trips,
    total_failed_trips: row.total_failed_trips,
    version: row.version,
  }),
  counters: {
    drivers: '1',
    'drivers.suspended': 'R.deleted',
    'drivers.online': 'R.online * (1 - R.deleted)',
  },
  perHour: { at: 'R.date_joined', n: '1' },
  file: spreadsheet({
    path: 'drivers-export-excel/', // S7.9
    name: 'drivers_data.xlsx',
    sheet: 'Drivers',
    columns,
    table: 'drivers',
    rows: (db, ids) =>
      db
        .selectFrom('drivers')
        .leftJoin('vehicles', 'vehicles.driver_id', 'drivers.id')
        .select(['drivers.id', 'vehicles.registration'])
        .select(personCells)
        .select(cells)
        .where('drivers.id', 'in', ids),
  }),
  actions: [
    {
      command: 'suspend', // S7.7
      path: 'driver/:id/suspend/',
      columns: () => ({ deleted: 1 }),
      message: ({ fullname }) => `${fullname} has been suspended.`,
    },
    {
      command: 'unsuspend', // S7.8
      path: 'driver/:id/unfreeze/',
      columns: () => ({ deleted: 0 }),
      message: ({ fullname }) => `${fullname} has been unsuspended.`,
    },
  ],
  routes: registerDriver,
})
