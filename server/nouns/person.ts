import type { Generated, Selectable, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Id } from '../db/columns.ts'
import { nairobiDays } from '../export/cells.ts'
import type { SheetColumn } from '../export/sheet.ts'
import type { Found } from '../queries/ways.ts'
import type { Sought } from '../queries/sought.ts'
import { iso, ksh } from '../queries/wire.ts'

/** The columns and export cells that drivers and customers share. */
export interface PersonTable {
  id: Id
  fullname: string
  phone_number: string
  date_joined: number
  search: string
  wallet_balance: number
  total_trips: Generated<number>
  total_completed_trips: Generated<number>
  total_failed_trips: Generated<number>
}

type PersonRow = Selectable<PersonTable>

export const personOrderings = {
  id: 'id',
  fullname: 'search',
  date_joined: 'date_joined',
  total_completed_trips: 'total_completed_trips',
  total_failed_trips: 'total_failed_trips',
  wallet_balance: 'wallet_balance',
}

/** A whole phone number or name. */
export const personEquals = ({ phones, text }: Sought) => [
  ...(phones.length
    ? [{ rank: 'phone' as const, where: sql<SqlBool>`phone_number in (${sql.join(phones)})` }]
    : []),
  { rank: 'name' as const, where: sql<SqlBool>`search = ${text}` },
]

export const personFound: Found = { person: true, text: 'R.search', phone: true, equals: personEquals }

export const userOf = ({ fullname, phone_number, date_joined }: PersonRow) => ({
  fullname,
  phone_number,
  date_joined: iso(date_joined),
})

/** What the columns below show. */
export const personCells = [
  'fullname',
  'phone_number',
  'date_joined',
  'total_completed_trips',
  'total_failed_trips',
  'wallet_balance',
] as const

/** S7.9, S7.10 */
export const personColumns: SheetColumn<Pick<PersonRow, 'id' | (typeof personCells)[number]>>[] = [
  { header: 'ID #', kind: 'number', width: 10, value: (row) => row.id },
  { header: 'Name', kind: 'text', width: 32, value: (row) => row.fullname },
  { header: 'Phone No', kind: 'phone', width: 16, value: (row) => row.phone_number },
  { header: 'Date joined', kind: 'date', width: 14, value: (row) => nairobiDays(row.date_joined) },
  { header: 'Completed Trips', kind: 'number', width: 16, value: (row) => row.total_completed_trips },
  { header: 'Failed Trips', kind: 'number', width: 12, value: (row) => row.total_failed_trips },
  { header: 'Wallet(Ksh)', kind: 'money', width: 14, value: (row) => ksh(row.wallet_balance) },
]

/** What a record with these columns is found by. */
export const foundByPeople = (...tables: ('drivers' | 'customers')[]): Found => ({
  people: tables.map((table) => ({ table, id: table === 'drivers' ? 'driver_id' : 'customer_id' })),
})
