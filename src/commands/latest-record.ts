import { isRow } from '../api/loose.ts'
import { queryClient } from '../api/query-client.ts'
import { numberOf, text } from '../format.ts'
import { firstPage } from '../state/list.ts'
import type { Ref } from '../state/ref.ts'
import { offeredTerms } from './address.ts'
import { listLoad, prefetch, recordLoad } from './loads.ts'
import { allNouns } from './noun.ts'

/**
 * The record as last loaded by any screen; the one that the form was opened with if no cached answer has it, or only an
 * earlier version, such as a list that was left before the palette has found the record.
 */
export function latestRecord({ noun, id }: Ref, opened: object): object {
  const newestFirst = queryClient
    .getQueryCache()
    .findAll({ queryKey: [noun] })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const { state } of newestFirst) {
    const found = recordIn(state.data, id)
    if (found && versionOf(found) >= versionOf(opened)) return found
  }
  return opened
}

/** R5: reads a record again that no screen shows, such as one that the palette has found. Screens reload their own. */
export function rereadRecord({ noun: name, id }: Ref): void {
  const shown = queryClient.getQueryCache().findAll({ queryKey: [name], type: 'active' })
  const noun = allNouns().find((one) => one.name === name)
  if (!noun || shown.some(({ state }) => recordIn(state.data, id))) return
  if (noun.calls.one !== undefined) void prefetch(recordLoad(noun, id))
  else if (offeredTerms(noun).includes('id:'))
    void prefetch(listLoad(noun, { ...firstPage, filter: `id:${id}` }))
}

/** 0 from a server that has no versions. */
const versionOf = (record: object) => (isRow<{ version: unknown }>(record) && numberOf(record.version)) || 0

/** In a cached answer: the page of a list, or a single record. */
function recordIn(data: unknown, id: string): object | undefined {
  if (!isRow<{ id: unknown; results: unknown }>(data)) return undefined
  const records: readonly unknown[] = Array.isArray(data.results) ? data.results : [data]
  return records.filter((row) => isRow<{ id: unknown }>(row)).find((row) => text(row.id) === id)
}
