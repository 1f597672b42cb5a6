import { queryClient } from '../api/query-client.ts'
import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { text } from '../format.ts'
import type { Ref } from '../state/ref.ts'

/**
 * Query keys begin with the noun: `[noun, 'list', query]`, `[noun, 'one', id]`, `[noun, 'one', id, part, page]`,
 * `[noun, 'search', text]`; the dashboard's figures are `['analytics']`.
 */

/** Puts the record, as the server answered it, wherever it is cached. */
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

/** Reads what is on screen of these nouns again; the rest of their cache when it is shown next. */
export function reload(nouns: readonly string[]): void {
  for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun] })
}
