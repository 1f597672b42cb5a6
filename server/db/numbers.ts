import type { Noun, Totals } from '../nouns/noun.ts'
import { nouns } from '../nouns.ts'
import { bucketBits } from './buckets.ts'
import type { PerHour } from './hours.ts'
import { hourOf } from './hours.ts'
import { inRow } from './texts.ts'

const events = ['insert', 'update', 'delete'] as const
type TriggerEvent = (typeof events)[number]

/** The amount by which one inserted, updated or deleted row changes a stored number. */
const change: Record<TriggerEvent, (of: string) => string> = {
  insert: (of) => inRow(of, 'NEW'),
  delete: (of) => `0 - (${inRow(of, 'OLD')})`,
  update: (of) => `(${inRow(of, 'NEW')}) - (${inRow(of, 'OLD')})`,
}

/** The triggers that maintain counters, buckets, totals and the numbers of each hour. Their SQL is the same on both engines. */
export function triggers(): { table: string; event: TriggerEvent; statements: string[] }[] {
  return nouns
    .flatMap((noun) =>
      events.map((event) => ({ table: noun.table, event, statements: statements(noun, event) })),
    )
    .filter((trigger) => trigger.statements.length > 0)
}

function statements({ table, counters, totals, perHour, softDeleted }: Noun, event: TriggerEvent): string[] {
  const out = Object.entries(counters)
    .filter(([, of]) => !(event === 'update' && of === '1'))
    .map(([name, of]) => {
      const by = change[event](of)
      return `update counters set value = value + (${by}) where name = '${name}' and (${by}) <> 0`
    })
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
  if (perHour) out.push(...addToHours(table, perHour, event))
  return out
}

/** Subtracts the old row from its hour and adds the new one to its own, unless an update changes nothing of it. */
function addToHours(table: string, perHour: PerHour, event: TriggerEvent): string[] {
  const { n, amount = '0' } = perHour
  const isChanged = [hourOf(perHour), n, amount]
    .filter((of) => of.includes('R.'))
    .map((of) => `${inRow(of, 'OLD')} <> ${inRow(of, 'NEW')}`)
    .join(' or ')
  const add = (row: 'NEW' | 'OLD', sign: '' | '-') => {
    const values = [hourOf(perHour), `${sign}(${n})`, `${sign}(${amount})`]
    return inRow(
      `insert into hourly (entity, hour, n, amount) select '${table}', ${values.join(', ')} ` +
        `where ${n} <> 0${event === 'update' ? ` and (${isChanged})` : ''} ` +
        `on conflict (entity, hour) do update set n = hourly.n + excluded.n, amount = hourly.amount + excluded.amount`,
      row,
    )
  }
  return [...(event === 'insert' ? [] : [add('OLD', '-')]), ...(event === 'delete' ? [] : [add('NEW', '')])]
}

/** 1 for a row that its list shows. */
const isListed = (softDeleted: boolean) => (softDeleted ? '(1 - R.deleted)' : '1')

function addToTotals({ of, by, columns }: Totals, row: 'NEW' | 'OLD', sign: '+' | '-'): string {
  const sets = Object.entries(columns).map(
    ([column, expression]) => `${column} = ${column} ${sign} (${inRow(expression, row)})`,
  )
  return `update ${of} set ${sets.join(', ')} where id = ${row}.${by}`
}

/** Statements that compute every stored number from the rows; to be run while the triggers are dropped. */
export function recountStatements(): string[] {
  const counters = nouns.flatMap(({ table, counters }) =>
    Object.entries(counters).map(([name, of]) => ({ table, name, of })),
  )
  const names = counters.map(({ name }) => `'${name}'`)
  return [
    `delete from counters where name not in (${names.join(', ')})`,
    `insert into counters (name, value) values ${names.map((name) => `(${name}, 0)`).join(', ')} on conflict (name) do nothing`,
    ...counters.map(
      ({ table, name, of }) =>
        `update counters set value = (select coalesce(sum(${inTable(of)}), 0) from ${table} t) where name = '${name}'`,
    ),
    ...nouns.flatMap(({ table, totals }) => totals.flatMap((one) => recountTotals(table, one))),
    'delete from id_buckets',
    ...nouns.map(
      ({ table, softDeleted }) =>
        `insert into id_buckets (entity, bucket, n) select '${table}', t.id >> ${bucketBits}, ` +
        `sum(${inTable(isListed(softDeleted))}) from ${table} t group by t.id >> ${bucketBits}`,
    ),
    'delete from hourly',
    ...nouns.flatMap(({ table, perHour }) => (perHour ? [recountHours(table, perHour)] : [])),
  ]
}

function recountHours(table: string, perHour: PerHour): string {
  const { n, amount = '0' } = perHour
  return inTable(
    `insert into hourly (entity, hour, n, amount) select '${table}', ${hourOf(perHour)}, sum(${n}), sum(${amount}) ` +
      `from ${table} t where ${n} <> 0 group by ${hourOf(perHour)}`,
  )
}

const inTable = (expression: string) => expression.replaceAll('R.', 't.')

/** Only rows whose totals are wrong are written; the second statement is for those without any row to add up. */
function recountTotals(table: string, { of, by, columns }: Totals): string[] {
  const names = Object.keys(columns)
  const sums = Object.entries(columns).map(([name, expression]) => `sum(${inTable(expression)}) as ${name}`)
  const isSame = names.map((name) => `${of}.${name} = s.${name}`).join(' and ')
  return [
    `update ${of} set ${names.map((name) => `${name} = s.${name}`).join(', ')} ` +
      `from (select ${by} as key, ${sums.join(', ')} from ${table} t group by ${by}) s ` +
      `where ${of}.id = s.key and not (${isSame})`,
    `update ${of} set ${names.map((name) => `${name} = 0`).join(', ')} ` +
      `where (${names.map((name) => `${name} <> 0`).join(' or ')}) ` +
      `and id not in (select ${by} from ${table} where ${by} is not null)`,
  ]
}
