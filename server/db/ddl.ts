import type { ListedTable } from './schema.ts'
import { listedTables } from './schema.ts'

/** Ids are grouped in buckets of this many, so that any page is reached by adding up buckets. */
export const bucketBits = 12

/** A number kept up to date by triggers; `of` is an integer expression over one row, written with the alias `R`. */
interface Kept {
  table: ListedTable
  of: string
}

const when = (condition: string, value = '1') => `case when ${condition} then ${value} else 0 end`

/** Name to meaning of everything in `counters` (S3.1 and its definitions in the rulings). */
const counters: Record<string, Kept> = {
  drivers: { table: 'drivers', of: '1' },
  'drivers.suspended': { table: 'drivers', of: 'R.deleted' },
  'drivers.online': { table: 'drivers', of: 'R.online * (1 - R.deleted)' },
  customers: { table: 'customers', of: '1' },
  'trips.completed': { table: 'trips', of: when(`R.status = 'Completed'`) },
  'trips.failed': { table: 'trips', of: when(`R.status = 'Cancelled'`) },
  'trips.fares': { table: 'trips', of: when(`R.status = 'Completed'`, 'R.cost') },
  bookings: { table: 'pre_bookings', of: '1' },
  'bookings.ongoing': { table: 'pre_bookings', of: when(`R.status = 'Ongoing'`) },
  'bookings.completed': { table: 'pre_bookings', of: when(`R.status = 'Completed'`) },
  'bookings.pending': { table: 'pre_bookings', of: when(`R.status = 'Pending'`) },
  'bookings.paid_amount': { table: 'pre_bookings', of: 'R.amount * R.paid' },
  'invoices.paid_amount': { table: 'invoices', of: 'R.amount * R.paid' },
  'invoices.unpaid_amount': { table: 'invoices', of: 'R.amount * (1 - R.paid)' },
}

/** Columns of a person that add up their trips. */
const tripTotals: Record<string, string> = {
  total_trips: '1',
  total_completed_trips: when(`R.status = 'Completed'`),
  total_failed_trips: when(`R.status = 'Cancelled'`),
}
const driverTotals = { ...tripTotals, total_earnings: when(`R.status = 'Completed'`, 'R.cost') }

/** Soft-deleted rows of these tables leave their list. Suspended drivers stay (rulings, lists). */
export const softDeleted: ReadonlySet<string> = new Set<ListedTable>([
  'attractions',
  'blogs',
  'coupons',
  'promo_codes',
])

function listed(table: ListedTable): string {
  return softDeleted.has(table) ? '(1 - R.deleted)' : '1'
}

const events = ['insert', 'update', 'delete'] as const
type TriggerEvent = (typeof events)[number]

/** By how much a change of one row changes a kept number. */
const change: Record<TriggerEvent, (of: string) => string> = {
  insert: (of) => inRow(of, 'NEW'),
  delete: (of) => `0 - (${inRow(of, 'OLD')})`,
  update: (of) => `(${inRow(of, 'NEW')}) - (${inRow(of, 'OLD')})`,
}

const inRow = (expression: string, row: string) => expression.replaceAll('R.', `${row}.`)

/** The statements of every trigger that keeps counters, buckets and totals; the SQL is the same on both engines. */
export function triggers(): { table: string; event: TriggerEvent; statements: string[] }[] {
  return listedTables
    .flatMap((table) => events.map((event) => ({ table, event, statements: statements(table, event) })))
    .filter((trigger) => trigger.statements.length > 0)
}

function statements(table: ListedTable, event: TriggerEvent): string[] {
  const out = Object.entries(counters)
    .filter(([, kept]) => kept.table === table && !(event === 'update' && kept.of === '1'))
    .map(([name, kept]) => {
      const by = change[event](kept.of)
      return `update counters set value = value + (${by}) where name = '${name}' and (${by}) <> 0`
    })
  if (event !== 'update' || softDeleted.has(table)) {
    const by = change[event](listed(table))
    const bucket = `${event === 'delete' ? 'OLD' : 'NEW'}.id >> ${bucketBits}`
    out.push(
      `insert into id_buckets (entity, bucket, n) select '${table}', ${bucket}, ${by} where (${by}) <> 0 ` +
        `on conflict (entity, bucket) do update set n = id_buckets.n + excluded.n`,
    )
  }
  if (table === 'trips') {
    if (event !== 'insert') out.push(...totals('OLD', '-'))
    if (event !== 'delete') out.push(...totals('NEW', '+'))
  }
  return out
}

function totals(row: 'NEW' | 'OLD', sign: '+' | '-'): string[] {
  const people = { drivers: driverTotals, customers: tripTotals }
  return Object.entries(people).map(([into, columns]) => {
    const sets = Object.entries(columns).map(
      ([column, of]) => `${column} = ${column} ${sign} (${inRow(of, row)})`,
    )
    return `update ${into} set ${sets.join(', ')} where id = ${row}.${into.slice(0, -1)}_id`
  })
}

/** Statements that compute every kept number from the rows; to be run while the triggers are dropped. */
export function recountStatements(): string[] {
  const alias = (expression: string) => expression.replaceAll('R.', 't.')
  const names = Object.keys(counters).map((name) => `'${name}'`)
  return [
    `delete from counters where name not in (${names.join(', ')})`,
    `insert into counters (name, value) values ${names.map((name) => `(${name}, 0)`).join(', ')} on conflict (name) do nothing`,
    ...Object.entries(counters).map(
      ([name, { table, of }]) =>
        `update counters set value = (select coalesce(sum(${alias(of)}), 0) from ${table} t) where name = '${name}'`,
    ),
    ...Object.entries({ drivers: driverTotals, customers: tripTotals }).flatMap(([people, totals]) => {
      const columns = Object.keys(totals)
      const key = `${people.slice(0, -1)}_id`
      const sums = Object.entries(totals).map(([column, of]) => `sum(${alias(of)}) as ${column}`)
      const isSame = columns.map((column) => `${people}.${column} = s.${column}`).join(' and ')
      return [
        `update ${people} set ${columns.map((column) => `${column} = s.${column}`).join(', ')} ` +
          `from (select ${key} as key, ${sums.join(', ')} from trips t group by ${key}) s ` +
          `where ${people}.id = s.key and not (${isSame})`,
        `update ${people} set ${columns.map((column) => `${column} = 0`).join(', ')} ` +
          `where (${columns.map((column) => `${column} <> 0`).join(' or ')}) ` +
          `and id not in (select ${key} from trips where ${key} is not null)`,
      ]
    }),
    'delete from id_buckets',
    ...listedTables.map(
      (table) =>
        `insert into id_buckets (entity, bucket, n) select '${table}', t.id >> ${bucketBits}, sum(${alias(listed(table))}) ` +
        `from ${table} t group by t.id >> ${bucketBits}`,
    ),
  ]
}
