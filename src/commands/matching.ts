import { getDefaultStore } from 'jotai'
import { list } from '../api/client.ts'
import { capabilitiesAtom } from '../api/config.ts'
import { count } from '../format.ts'
import type { Command, Context } from './command.ts'
import { targetsOf } from './command.ts'
import type { Listed } from './list.ts'
import { listedAtom } from './list.ts'
import { runTask } from './run.ts'
import { cancelLoading, loadingAtom, select, selectionAtom } from './selection.ts'

/** Most records that are selected at once. */
export const mostSelected = 5000
/** Rows per call, if the server takes the size. */
const pageSize = 1000

const store = getDefaultStore()

/** "Select all 131 that match" */
function matchingTitle({ count: all }: Listed): string {
  if (all === null) return 'Select all that match'
  return all > mostSelected
    ? `Select the first ${count(mostSelected)} of ${count(all)} that match`
    : `Select all ${count(all)} that match`
}

/** Whether there are more records than those on the page, and not all of them are selected. */
export function canSelectMatching(listed: Listed | null): listed is Listed {
  const isAll = store.get(selectionAtom).size >= Math.min(listed?.count ?? Infinity, mostSelected)
  return (
    listed !== null && listed.hasRows && (listed.totalPages ?? 0) > 1 && !isAll && !store.get(loadingAtom)
  )
}

export const selectMatching: Command = {
  id: 'list.selectMatching',
  about: 'Select all rows that match, on all pages',
  title: () => {
    const listed = store.get(listedAtom)
    return listed ? matchingTitle(listed) : 'Select all that match'
  },
  keywords: 'every page bulk',
  when: () => canSelectMatching(store.get(listedAtom)),
  run: async () => {
    const listed = store.get(listedAtom)
    if (canSelectMatching(listed)) await load(listed)
  },
}

export const cancelSelecting: Command = {
  id: 'list.cancelSelecting',
  about: 'Cancel selecting all rows that match',
  title: () => 'Cancel selecting all rows that match',
  keywords: 'stop abort',
  when: () => store.get(loadingAtom) !== null,
  run: cancelLoading,
}

export const matchingCommands: readonly Command[] = [selectMatching, cancelSelecting]

/** Loads the pages in turn. Only when all are there, they are selected; after a failure or a cancel nothing changes. */
async function load({ noun, query, count: all }: Listed): Promise<void> {
  const control = new AbortController()
  const { signal } = control
  const total = all === null ? null : Math.min(all, mostSelected)
  const cancel = () => control.abort(new DOMException('Selecting was cancelled.', 'AbortError'))
  const size = store.get(capabilitiesAtom).page_size ? pageSize : query.size
  const show = (loaded: number) => store.set(loadingAtom, { loaded, total, cancel })
  show(0)
  await runTask('select:matching', {
    label: `Select all ${noun.plural} that match`,
    perform: async () => {
      const found: Context['targets'][number][] = []
      for (let page = 1, last = 1; page <= last && found.length < mostSelected; page++) {
        const { results, totalPages } = await list(noun.calls, { ...query, size, page }, signal)
        signal.throwIfAborted()
        found.push(...targetsOf(noun, results))
        last = totalPages
        show(Math.min(found.length, mostSelected))
      }
      select(found.slice(0, mostSelected))
      return `${count(Math.min(found.length, mostSelected))} selected`
    },
  }).finally(() => store.set(loadingAtom, null))
}
