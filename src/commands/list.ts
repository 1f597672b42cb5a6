import { atom, getDefaultStore } from 'jotai'
import type { Command } from './command.ts'

/** What the list on screen can do for the keyboard; the list sets it while it is there. */
interface ListHandle {
  move(by: number): void
  open(): void
  search: (() => void) | null
  /** Page to go to, or null where there is none. */
  previousPage: number | null
  nextPage: number | null
  goTo(page: number): void
}

export const listHandleAtom = atom<ListHandle | null>(null)

const handle = () => getDefaultStore().get(listHandleAtom)

const onList = (
  id: string,
  about: string,
  keys: string,
  act: (list: ListHandle) => void,
  can: (list: ListHandle) => boolean = () => true,
): Command => ({
  id: `list.${id}`,
  about,
  title: () => about,
  keys,
  when: () => {
    const list = handle()
    return list !== null && can(list)
  },
  run: () => {
    const list = handle()
    if (list) act(list)
  },
})

/** Offered wherever a list is on screen. */
export const listCommands: readonly Command[] = [
  onList('next', 'Next row', 'j', (list) => list.move(1)),
  onList('previous', 'Previous row', 'k', (list) => list.move(-1)),
  onList('open', 'Open the focused row', 'enter', (list) => list.open()),
  onList(
    'search',
    'Search this list',
    '/',
    (list) => list.search?.(),
    (list) => list.search !== null,
  ),
  onList(
    'previousPage',
    'Previous page',
    '[',
    (list) => list.goTo(list.previousPage ?? 1),
    (list) => list.previousPage !== null,
  ),
  onList(
    'nextPage',
    'Next page',
    ']',
    (list) => list.goTo(list.nextPage ?? 1),
    (list) => list.nextPage !== null,
  ),
]
