import { queryClient } from '../api/query-client.ts'
import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { text } from '../format.ts'
import type { Ref } from '../state/ref.ts'

/**
 * Query keys begin with the noun: `[noun, 'list', query]`, `[noun, 'one', id]`, `[noun, 'one', id, part, page]`,
 * `[noun, 'search', text]`; the dashboard's figures are `['analytics']`. Saved views are `['view', 'list']`, and the
 * numbers of records that they show `['viewCounts']`, those of filters `['termCounts']`; every change reloads both.
 */

/** Writes the fields that the server answered into the cached lists and details that have the record. */
export function patch({ noun, id }: Ref, record: Row<object> | null): void {
  // Another server can answer a part of the record, or another one.
  if (idOf(record) !== id) return
  const changed = (row: unknown) => (isRow(row) && idOf(row) === id ? { ...row, ...record } : row)
  queryClient.setQueriesData({ queryKey: [noun, 'one', id], exact: true }, changed)
  queryClient.setQueriesData<unknown>({ queryKey: [noun, 'list'] }, (page: unknown) =>
    isRow<{ results: unknown }>(page) && Array.isArray(page.results)
      ? { ...page, results: page.results.map(changed) }
      : page,
  )
}

const idOf = (row: unknown) => (isRow<{ id: unknown }>(row) ? text(row.id) : null)

/** Reloads the queries of these nouns that are on screen now; the others when they are shown next. */
export function reload(nouns: readonly string[]): void {
  for (const noun of [...nouns, 'viewCounts', 'termCounts'])
    void queryClient.invalidateQueries({ queryKey: [noun] })
}
