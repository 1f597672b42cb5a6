import { nouns } from '../nouns.ts'
import type { Noun, Totals } from '../nouns/noun.ts'
import { bucketBits } from './buckets.ts'
import { countersOf, inTable, isListed, perDay, sumsOf } from './numbers.ts'

/**
 * Queries for the stored numbers that differ from the rows, with the columns `name`, `stored` and `counted`. Each is one
 * statement, so it sees numbers and rows of the same moment.
 */
export function wrongNumbers(): string[] {
  return nouns.flatMap((noun) => [
    ...Object.entries(countersOf(noun)).map(([name, of]) => wrongCounter(noun.table, name, of)),
    wrongGroups(noun.table, {
      into: 'id_buckets',
      key: { entity: `'${noun.table}'`, bucket: `R.id >> ${bucketBits}` },
      columns: { n: isListed(noun.softDeleted) },
    }),
    ...sumsOf(noun).map(({ into, key, n, amount }) =>
      wrongGroups(noun.table, { into, key, columns: { n, amount } }, `where ${inTable(n)} <> 0`),
    ),
    ...wrongDays(noun),
    ...noun.totals.flatMap((totals) => wrongTotals(noun.table, totals)),
  ])
}

const wrongCounter = (table: string, name: string, of: string) =>
  `select name, stored, counted from (select 'The counter ${name}' as name, coalesce(sum(value), 0) as stored,
   (select coalesce(sum(${inTable(of)}), 0) from ${table} t) as counted from counters where name = '${name}') c
   where stored <> counted`

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

/** Numbers of a table that are stored by a key. */
interface Groups {
  into: string
  /** The columns of the key and their values, as SQL over one row with the alias `R`. */
  key: Record<string, string>
  columns: Record<string, string>
}

/** Compares the stored numbers with sums over the rows, group by group. */
function wrongGroups(table: string, { into, key, columns }: Groups, where = ''): string {
  const isOfRow = ([, of]: [string, string]) => of.includes('R.')
  const named = Object.entries(key).filter(isOfRow)
  const fixed = Object.entries(key).filter((one) => !isOfRow(one))
  const own = ['true', ...fixed.map(([column, value]) => `${column} = ${value}`)].join(' and ')
  const values = [...named, ...Object.entries(columns).map(([name, of]) => [name, `sum(${of})`] as const)]
  const group = named.map(([column]) => ` || ', ${column} ' || coalesce(s.${column}, c.${column})`).join('')
  const each = Object.keys(columns).map(
    (name) =>
      `select '${name} of ${table} in ${into}'${group} as name,
       coalesce(s.${name}, 0) as stored, coalesce(c.${name}, 0) as counted
       from (select * from ${into} where ${own}) s
       full join (select ${values.map(([as, of]) => `${inTable(of)} as ${as}`).join(', ')} from ${table} t ${where}
       group by ${named.map(([, of]) => inTable(of)).join(', ')}) c
       on ${named.map(([column]) => `c.${column} = s.${column}`).join(' and ')}
       where coalesce(s.${name}, 0) <> coalesce(c.${name}, 0)`,
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
