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

/** Replaces a record in cached lists and details by the one that the server answered. */
export function patch({ noun, id }: Ref, record: Row<object> | null): void {
  if (!record || id === 'new') return
  queryClient.setQueriesData<unknown>({ queryKey: [noun, 'one', id], exact: true }, record)
  queryClient.setQueriesData<unknown>({ queryKey: [noun, 'list'] }, (page: unknown) => {
    if (!isRow<{ results: unknown }>(page) || !Array.isArray(page.results)) return page
    const results: readonly unknown[] = page.results
    return { ...page, results: results.map((row) => (idOf(row) === id ? record : row)) }
  })
}

const idOf = (row: unknown) => (isRow<{ id: unknown }>(row) ? text(row.id) : null)

/** Reloads the queries of these nouns that are on screen now; the others when they are shown next. */
export function reload(nouns: readonly string[]): void {
  for (const noun of [...nouns, 'viewCounts', 'termCounts'])
    void queryClient.invalidateQueries({ queryKey: [noun] })
}
