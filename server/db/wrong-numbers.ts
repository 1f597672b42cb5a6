import { nouns } from '../nouns.ts'
import type { Noun, Totals } from '../nouns/noun.ts'
import { bucketBits } from './buckets.ts'
import { hourOf } from './hours.ts'
import { areaSums, countersOf, inTable, isListed, perDay } from './numbers.ts'

/**
 * Queries for the stored numbers that differ from the rows, with the columns `name`, `stored` and `counted`. Each is one
 * statement, so it sees numbers and rows of the same moment.
 */
export function wrongNumbers(): string[] {
  return nouns.flatMap((noun) => [
    ...Object.entries(countersOf(noun)).map(([name, of]) => wrongCounter(noun.table, name, of)),
    wrongGroups(noun, 'id_buckets', 'bucket', `t.id >> ${bucketBits}`, { n: isListed(noun.softDeleted) }),
    ...wrongHours(noun),
    ...wrongAreas(noun),
    ...wrongDays(noun),
    ...noun.totals.flatMap((totals) => wrongTotals(noun.table, totals)),
  ])
}

const wrongCounter = (table: string, name: string, of: string) =>
  `select name, stored, counted from (select 'The counter ${name}' as name, coalesce(sum(value), 0) as stored,
   (select coalesce(sum(${inTable(of)}), 0) from ${table} t) as counted from counters where name = '${name}') c
   where stored <> counted`

function wrongHours(noun: Noun): string[] {
  if (!noun.perHour) return []
  const { n, amount = '0' } = noun.perHour
  return [
    wrongGroups(
      noun,
      'hourly',
      'hour',
      inTable(hourOf(noun.perHour)),
      { n, amount },
      `where ${inTable(n)} <> 0`,
    ),
  ]
}

const wrongAreas = ({ table, perHour }: Noun): string[] =>
  (perHour ? areaSums(perHour) : []).flatMap(({ key, n, amount }) =>
    Object.entries({ n, amount }).map(
      ([name, of]) =>
        `select '${name} of ${table} in area_days, day ' || coalesce(s.day, c.day) || ', area "' || coalesce(s.area, c.area) || '"' as name,
       coalesce(s.${name}, 0) as stored, coalesce(c.n, 0) as counted from area_days s
       full join (select ${inTable(key['day'] ?? '')} as day, ${inTable(key['area'] ?? '')} as area, sum(${inTable(of)}) as n
       from ${table} t group by 1, 2) c on c.day = s.day and c.area = s.area where coalesce(s.${name}, 0) <> coalesce(c.n, 0)`,
    ),
  )

/** How many records a day has for a term, and the limits of their ids, which may be wider than needed. */
const wrongDays = (noun: Noun): string[] =>
  perDay(noun).map(({ term, day, n }) => {
    const id = `case when ${inTable(n)} = 1 then t.id end`
    const wrong = (column: string, counted: string, isWrong: string) =>
      `select '${column} of ${noun.table} in daily, ${term || 'all'}, day ' || coalesce(s.day, c.day) as name,
       coalesce(s.${column}, 0) as stored, ${counted} as counted from s full join c on c.day = s.day where ${isWrong}`
    return `with s as (select day, sum(n) as n, min(low) as low, max(high) as high from daily
       where entity = '${noun.table}' and term = '${term}' group by day),
       c as (select ${inTable(day)} as day, sum(${inTable(n)}) as n, min(${id}) as low, max(${id}) as high
       from ${noun.table} t group by ${inTable(day)})
       ${wrong('n', 'coalesce(c.n, 0)', 'coalesce(s.n, 0) <> coalesce(c.n, 0)')}
       union all ${wrong('low', 'c.low', 's.low > c.low')} union all ${wrong('high', 'c.high', 's.high < c.high')}`
  })

/** Compares the numbers of one table in `stored` with sums over its rows, group by group. */
function wrongGroups(
  { table }: Noun,
  stored: string,
  key: string,
  group: string,
  columns: Record<string, string>,
  where = '',
): string {
  const names = Object.keys(columns)
  const sums = Object.entries(columns).map(([name, of]) => `sum(${inTable(of)}) as ${name}`)
  const each = names.map(
    (name) =>
      `select '${name} of ${table} in ${stored}, ${key} ' || coalesce(s.${key}, c.${key}) as name,
       coalesce(s.${name}, 0) as stored, coalesce(c.${name}, 0) as counted
       from (select * from ${stored} where entity = '${table}') s
       full join (select ${group} as ${key}, ${sums.join(', ')} from ${table} t ${where} group by ${group}) c
       on c.${key} = s.${key} where coalesce(s.${name}, 0) <> coalesce(c.${name}, 0)`,
  )
  return each.join(' union all ')
}

function wrongTotals(table: string, { of, by, columns }: Totals): string[] {
  return Object.entries(columns).map(
    ([column, expression]) =>
      `select '${column} of ${of} ' || o.id as name, o.${column} as stored, coalesce(s.n, 0) as counted from ${of} o
       left join (select ${by} as key, sum(${inTable(expression)}) as n from ${table} t group by ${by}) s on s.key = o.id
       where o.${column} <> coalesce(s.n, 0)`,
  )
}
