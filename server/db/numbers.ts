import type { Noun, Totals } from '../nouns/noun.ts'
import { nouns } from '../nouns.ts'
import type { CounterParts } from './engine.ts'
import { areaOf, fillAreas } from './areas.ts'
import { bucketBits, termCounter } from './buckets.ts'
import { dayOf, hourOf } from './hours.ts'
import { inRow } from './texts.ts'

const events = ['insert', 'update', 'delete'] as const
type TriggerEvent = (typeof events)[number]

/** The amount by which one inserted, updated or deleted row changes a stored number. */
const change: Record<TriggerEvent, (of: string) => string> = {
  insert: (of) => inRow(of, 'NEW'),
  delete: (of) => `0 - (${inRow(of, 'OLD')})`,
  update: (of) => `(${inRow(of, 'NEW')}) - (${inRow(of, 'OLD')})`,
}

interface Trigger {
  name: string
  table: string
  /** `insert`, or `update of` with columns. */
  event: string
  statements: string[]
}

/**
 * The triggers that maintain counters, buckets, totals and the numbers of each hour and day. Their SQL is the same on both
 * engines but for the part of the counters. An update runs only those that read a column that it sets.
 */
export function triggers(parts: CounterParts): Trigger[] {
  return nouns.flatMap((noun) =>
    events.flatMap((event) => {
      const byColumns = Map.groupBy(statements(noun, event, parts), (statement) =>
        event === 'update' ? ` of ${columnsIn(statement).join(', ')}` : '',
      )
      return [...byColumns].map(([of, ones], at) => ({
        // The first one has the only name of former versions, which is dropped with it.
        name: `${noun.table}_kept_${event}${at > 0 ? String(at + 1) : ''}`,
        table: noun.table,
        event: event + of,
        statements: ones,
      }))
    }),
  )
}

/** The columns of the updated row that a statement of a trigger reads. Those of its key never change. */
const columnsIn = (statement: string) =>
  [...new Set([...statement.matchAll(/\b(?:NEW|OLD)\.(\w+)/g)].map(([, column = '']) => column))]
    .filter((column) => column !== 'id')
    .sort()

/** The counters of a table: those of its declaration, and one for each term, of which only listed records count. */
export function countersOf({ table, counters, counted, softDeleted }: Noun): Record<string, string> {
  const terms: Record<string, string> = Object.fromEntries(
    Object.entries(counted.terms).map(([term, n]) => [termCounter(table, term), listedOnly(n, softDeleted)]),
  )
  return { ...counters, ...terms }
}

const listedOnly = (n: string, softDeleted: boolean) => (softDeleted ? `(${n}) * (1 - R.deleted)` : n)

function statements(noun: Noun, event: TriggerEvent, parts: CounterParts): string[] {
  const { table, totals, softDeleted } = noun
  const changes = Object.entries(countersOf(noun))
    .filter(([, of]) => !(event === 'update' && of === '1'))
    .map(([name, of]) => `('${name}', ${change[event](of)})`)
  const out = changes.length > 0 ? [addToCounters(changes, parts)] : []
  if (event !== 'update' || softDeleted) {
    const by = change[event](isListed(softDeleted))
    const bucket = `${event === 'delete' ? 'OLD' : 'NEW'}.id >> ${bucketBits}`
    out.push(
      `insert into id_buckets (entity, bucket, n) select '${table}', ${bucket}, ${by} where (${by}) <> 0 ` +
        `on conflict (entity, bucket) do update set n = id_buckets.n + excluded.n`,
    )
  }
  if (event !== 'insert') out.push(...totals.map((one) => addToTotals(one, 'OLD', '-')))
  if (event !== 'delete') out.push(...totals.map((one) => addToTotals(one, 'NEW', '+')))
  out.push(...sumsOf(noun).flatMap((sums) => addToSums(sums, event)))
  out.push(...addToDays(noun, event, parts))
  return out
}

/** Writes only the counters that change. */
const addToCounters = (changes: string[], { own }: CounterParts) =>
  `update counters set value = value + changed.column2 from (values ${changes.join(', ')}) as changed ` +
  `where changed.column2 <> 0 and name = changed.column1 and part = ${own}`

/** What is counted for each day, of the listed records. */
export const perDay = ({ counted, softDeleted }: Noun) =>
  counted.daily.map(({ term, at, n }) => ({ term, day: dayOf(at), n: listedOnly(n, softDeleted) }))

/**
 * One statement, which writes its rows in one order, so that two transactions on PostgreSQL cannot wait for each other. A row
 * that did not change its day and its terms adds up to 0.
 */
function addToDays(noun: Noun, event: TriggerEvent, { own }: CounterParts): string[] {
  const counts = perDay(noun)
  if (counts.length === 0) return []
  const of = (row: 'NEW' | 'OLD', sign: '' | '-') =>
    counts.map(({ term, day, n }) => inRow(`('${term}', ${day}, ${sign}(${n}))`, row))
  const values = [...(event === 'insert' ? [] : of('OLD', '-')), ...(event === 'delete' ? [] : of('NEW', ''))]
  const id = event === 'delete' ? 'OLD.id' : 'NEW.id'
  return [
    `insert into daily (entity, term, day, part, n, low, high) ` +
      `select '${noun.table}', column1, column2, ${own}, sum(column3), ${id}, ${id} from (values ${values.join(', ')}) as changed ` +
      `group by column1, column2 having sum(column3) <> 0 order by column1, column2 ` +
      `on conflict (entity, term, day, part) do update set n = daily.n + excluded.n, ` +
      `low = case when excluded.low < daily.low then excluded.low else daily.low end, ` +
      `high = case when excluded.high > daily.high then excluded.high else daily.high end`,
  ]
}

/** Numbers and amounts that are added up in the rows of a table, as SQL over one row with the alias `R`. */
interface Sums {
  into: string
  /** The columns of its key and their values. */
  key: Record<string, string>
  n: string
  amount: string
  /** A row whose values for these are unchanged adds the same to the same row. */
  from: string[]
}

/** What is added up for a table: by hour, and by day and area where its rows name a place. */
export function sumsOf({ table, perHour }: Noun): Sums[] {
  if (!perHour) return []
  const { at, n, amount = '0', place } = perHour
  const [hour, day] = [hourOf(perHour), dayOf(at)]
  const byHour = {
    into: 'hourly',
    key: { entity: `'${table}'`, hour },
    ...{ n, amount, from: [hour, n, amount] },
  }
  if (place === undefined) return [byHour]
  const key = { day, area: areaOf(place) }
  return [byHour, { into: 'area_days', key, n, amount, from: [day, place, n, amount] }]
}

/** Subtracts the old row from its sums and adds the new one to its own, unless an update changes nothing of it. */
function addToSums({ into, key, n, amount, from }: Sums, event: TriggerEvent): string[] {
  const isChanged = from
    .filter((of) => of.includes('R.'))
    .map((of) => `${inRow(of, 'OLD')} <> ${inRow(of, 'NEW')}`)
    .join(' or ')
  const columns = Object.keys(key).join(', ')
  const add = (row: 'NEW' | 'OLD', sign: '' | '-') => {
    const values = [...Object.values(key), `${sign}(${n})`, `${sign}(${amount})`]
    return inRow(
      `insert into ${into} (${columns}, n, amount) select ${values.join(', ')} ` +
        `where ${n} <> 0${event === 'update' ? ` and (${isChanged})` : ''} ` +
        `on conflict (${columns}) do update set n = ${into}.n + excluded.n, amount = ${into}.amount + excluded.amount`,
      row,
    )
  }
  return [...(event === 'insert' ? [] : [add('OLD', '-')]), ...(event === 'delete' ? [] : [add('NEW', '')])]
}

/** 1 for a row that its list shows. */
export const isListed = (softDeleted: boolean) => (softDeleted ? '(1 - R.deleted)' : '1')

function addToTotals({ of, by, columns }: Totals, row: 'NEW' | 'OLD', sign: '+' | '-'): string {
  const sets = Object.entries(columns).map(
    ([column, expression]) => `${column} = ${column} ${sign} (${inRow(expression, row)})`,
  )
  return `update ${of} set ${sets.join(', ')} where id = ${row}.${by}`
}

/** Statements that compute every stored number from the rows; to be run while the triggers are dropped. */
export function recountStatements(parts: CounterParts): string[] {
  return [...recountRows(), ...recountTables(parts)]
}

/** Those for the totals in rows, and for what the others need. Some counters count by a total. */
export const recountRows = (): string[] => [
  ...nouns.flatMap(({ table, totals }) => totals.flatMap((one) => recountTotals(table, one))),
  ...fillAreas,
]

/** Those for the tables that only hold numbers: each of these is emptied, and filled from tables with rows. */
export function recountTables({ count }: CounterParts): string[] {
  const parts = Array.from({ length: count }, (_, part) => part)
  return [
    'delete from counters',
    ...nouns.flatMap((noun) => recountCounters(noun, parts)),
    'delete from id_buckets',
    ...nouns.map(
      ({ table, softDeleted }) =>
        `insert into id_buckets (entity, bucket, n) select '${table}', t.id >> ${bucketBits}, ` +
        `sum(${inTable(isListed(softDeleted))}) from ${table} t group by t.id >> ${bucketBits}`,
    ),
    'delete from hourly',
    'delete from area_days',
    ...nouns.flatMap((noun) => sumsOf(noun).map((sums) => recountSums(noun.table, sums))),
    'delete from daily',
    ...nouns.flatMap(recountDays),
  ]
}

/** The first part gets all that is counted, in one pass over the table. */
function recountCounters(noun: Noun, parts: number[]): string[] {
  const counters = Object.entries(countersOf(noun))
  if (counters.length === 0) return []
  const sums = counters.map(([, of], at) => `coalesce(sum(${inTable(of)}), 0) as n${String(at)}`)
  const value = counters.map(([name], at) => `when '${name}' then s.n${String(at)}`).join(' ')
  return [
    `insert into counters (name, part, value) ` +
      `select names.column1, parts.column1, case when parts.column1 > 0 then 0 else case names.column1 ${value} end end ` +
      `from (select ${sums.join(', ')} from ${noun.table} t) s, ` +
      `(values ${counters.map(([name]) => `('${name}')`).join(', ')}) as names, ` +
      `(values ${parts.map((part) => `(${String(part)})`).join(', ')}) as parts`,
  ]
}

const recountDays = (noun: Noun): string[] =>
  perDay(noun).map(({ term, day, n }) =>
    inTable(
      `insert into daily (entity, term, day, part, n, low, high) select '${noun.table}', '${term}', ${day}, 0, count(*), min(t.id), max(t.id) ` +
        `from ${noun.table} t where (${n}) = 1 group by ${day}`,
    ),
  )

function recountSums(table: string, { into, key, n, amount }: Sums): string {
  const values = Object.values(key)
  return inTable(
    `insert into ${into} (${Object.keys(key).join(', ')}, n, amount) select ${values.join(', ')}, sum(${n}), sum(${amount}) ` +
      `from ${table} t where ${n} <> 0 group by ${values.filter((value) => value.includes('R.')).join(', ')}`,
  )
}

export const inTable = (expression: string) => expression.replaceAll('R.', 't.')

/**
 * Only rows whose totals are wrong are written. The first statement is for those without any row to add up: while a database
 * is filled, no row has totals yet, and it has nothing to do.
 */
function recountTotals(table: string, { of, by, columns }: Totals): string[] {
  const names = Object.keys(columns)
  const sums = Object.entries(columns).map(([name, expression]) => `sum(${inTable(expression)}) as ${name}`)
  const isSame = names.map((name) => `${of}.${name} = s.${name}`).join(' and ')
  return [
    `update ${of} set ${names.map((name) => `${name} = 0`).join(', ')} ` +
      // With `not in`, PostgreSQL would read the whole table again for each of these rows as soon as it does not fit into work_mem.
      `where id in (select id from ${of} where ${names.map((name) => `${name} <> 0`).join(' or ')} except select ${by} from ${table})`,
    `update ${of} set ${names.map((name) => `${name} = s.${name}`).join(', ')} ` +
      `from (select ${by} as key, ${sums.join(', ')} from ${table} t group by ${by}) s ` +
      `where ${of}.id = s.key and not (${isSame})`,
  ]
}
