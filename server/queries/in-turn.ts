import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Condition } from '../db/ids.ts'
import { any } from '../db/ids.ts'
import type { Step, Text } from './newest.ts'
import { newestOf, spaced } from './newest.ts'

/**
 * One statement that asks the queries in their order, each only if those before it have found too few different records;
 * PostgreSQL reads this condition once and then skips the query. `of` has the text that the conditions compare.
 */
export function inTurn(
  of: Text | null,
  steps: Step[],
  filter: Condition[],
  limit: number,
): RawBuilder<{ way: number; id: number }> {
  const names = steps.map((_, nth) => sql.table(`way_${nth}`))
  const tables = steps.map(({ query }, nth) => {
    const earlier = names.slice(0, nth).map((name) => sql`select id from ${name}`)
    const tooFew = sql<boolean>`(select count(*) from (${sql.join(earlier, sql` union `)}) as earlier) < ${limit}`
    return sql`${names[nth]} as materialized (${query(nth === 0 ? filter : [...filter, tooFew], limit)})`
  })
  const found = names.map((name, nth) => sql`select ${sql.lit(nth)} as way, id from ${name}`)
  return sql`with ${sql.join([...newestRows(of, steps), ...tables])}
    ${sql.join(found, sql` union all `)} order by way, id desc`
}

function newestRows(of: Text | null, steps: Step[]): RawBuilder<unknown>[] {
  const scans = steps.flatMap(({ scan }) => scan ?? [])
  if (!of || scans.length === 0) return []
  const rows = sql`(${newestOf(spaced(of))}) as ${sql.table(of.table)}`
  return [sql`newest_rows as (select * from ${rows} where ${any(scans)})`]
}
