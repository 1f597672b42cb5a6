import { list } from '../../api/client.ts'
import type { Row } from '../../api/loose.ts'
import type { Noun } from '../../commands/noun.ts'
import { refOf } from '../../commands/command.ts'
import { firstPage } from '../../state/list.ts'
import type { Search } from './use-search.ts'
import { useSearch } from './use-search.ts'

interface Pace {
  /** In milliseconds. */
  debounce: number
  /** Fewest characters; shorter queries are not sent. */
  least: number
}

/** Finds the records of a noun by typed text, with the ordinary list call (S7.3, S7.34): at most 25. */
export function useRecordSearch<T extends object>(noun: Noun<T>, typed: string, pace: Pace): Search<Row<T>> {
  return useSearch(typed, {
    ...pace,
    scope: noun.name,
    search: async (s, signal) => {
      const query = { ...firstPage, ...(noun.find?.(s) ?? { s }), size: 25 }
      const { results } = await list<T>(noun.calls, query, signal)
      return results.filter((row) => refOf(noun, row).id !== '')
    },
  })
}
