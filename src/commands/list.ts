import { atom, getDefaultStore } from 'jotai'
import { capabilitiesAtom } from '../api/config.ts'
import { listQueryAtom } from '../state/list.ts'
import { settingsAtom } from '../state/settings.ts'
import { copyText } from './clipboard.ts'
import type { Command, Context } from './command.ts'

/** The keyboard actions of the list on screen; the list sets them while it is mounted. */
interface ListHandle {
  move(by: number): void
  open(): void
  search: (() => void) | null
  /** Selecting and copying; null for cards, which have neither. */
  rows: RowsHandle | null
  /** The page to go to, or null if there is none. */
  previousPage: number | null
  nextPage: number | null
  goTo(page: number): void
}

interface RowsHandle {
  toggle(): void
  extend(by: number): void
  toggleAll(): void
  clear(): void
  selected: number
  /** Tab-separated lines; blank if no row is focused or selected. */
  copied(): string
}

export const listHandleAtom = atom<ListHandle | null>(null)

const store = getDefaultStore()
const handle = () => store.get(listHandleAtom)

const onList = (
  id: string,
  about: string,
  keys: string | null,
  act: (list: ListHandle) => void,
  can: (list: ListHandle) => boolean = () => true,
  cannot = 'not in this list',
): Command => ({
  id: `list.${id}`,
  about,
  title: () => about,
  ...(keys !== null && { keys }),
  when: () => {
    const list = handle()
    return list !== null && can(list)
  },
  why: () => (handle() ? cannot : 'no list is on screen'),
  run: () => {
    const list = handle()
    if (list) act(list)
  },
})

const onRows = (
  id: string,
  about: string,
  keys: string | null,
  act: (rows: RowsHandle) => void,
  can: (rows: RowsHandle) => boolean = () => true,
  cannot = 'not while this list shows no rows',
) =>
  onList(
    id,
    about,
    keys,
    ({ rows }) => rows && act(rows),
    ({ rows }) => rows !== null && can(rows),
    cannot,
  )

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
    'this list has no search box',
  ),
  onList(
    'previousPage',
    'Previous page',
    '[',
    (list) => list.goTo(list.previousPage ?? 1),
    (list) => list.previousPage !== null,
    'this is the first page',
  ),
  onList(
    'nextPage',
    'Next page',
    ']',
    (list) => list.goTo(list.nextPage ?? 1),
    (list) => list.nextPage !== null,
    'this is the last page',
  ),
  onRows('select', 'Select the focused row', 'x', (rows) => rows.toggle()),
  onRows('extendDown', 'Extend the selection down', 'shift+j', (rows) => rows.extend(1)),
  onRows('extendUp', 'Extend the selection up', 'shift+k', (rows) => rows.extend(-1)),
  onRows('selectAll', 'Select all rows of the page, or none', 'shift+x', (rows) => rows.toggleAll()),
  onRows(
    'clearSelection',
    'Clear the selection',
    null,
    (rows) => rows.clear(),
    (rows) => rows.selected > 0,
  ),
  onRows(
    'copy',
    'Copy the focused row or the selection',
    'y',
    (rows) => void copyText('Copy rows', rows.copied()),
    (rows) => rows.copied() !== '',
    'no row is focused or selected',
  ),
  onList('print', 'Print this list', null, () => window.print()),
]

/** What the commands for columns need to know of a column. */
interface ListColumn {
  id: string
  header: string
  sort?: string
}

/** What the commands for columns need to know of the list. */
interface Listed {
  path: string
  calls: { collection: string }
}

/** For each column of a list, a command to show or hide it and, if the server can sort by it, one to sort. */
export function columnCommands(
  { path, calls: { collection } }: Listed,
  columns: readonly ListColumn[],
): Command[] {
  const prefix = path.slice(1)
  return columns.flatMap(({ id, header, sort }) => [
    ...(sort === undefined
      ? []
      : [
          {
            id: `${prefix}.sortBy${capitalized(id)}`,
            about: `Sort by ${header}`,
            title: () => sortTitle(header, sort, store.get(listQueryAtom).ordering),
            keywords: 'order arrange',
            when: (context: Context) => context.path === path && canSort(collection, sort),
            run: () => sortBy(sort),
          },
        ]),
    {
      id: `${prefix}.toggle${capitalized(id)}`,
      about: `Show or hide the column ${header}`,
      title: () => `${isHidden(path, id) ? 'Show' : 'Hide'} the column ${header}`,
      when: (context: Context) =>
        context.path === path &&
        (isHidden(path, id) || columns.some((one) => one.id !== id && !isHidden(path, one.id))),
      run: () => toggleColumn(path, id),
    },
  ])
}

const canSort = (collection: string, field: string) =>
  store.get(capabilitiesAtom).ordering[collection]?.includes(field) ?? false

/** Sorts ascending, then descending, then in the server's default order. */
export function sortBy(field: string): void {
  const ordering = nextOrdering(field, store.get(listQueryAtom).ordering)
  store.set(listQueryAtom, { ordering, page: 1 })
}

function nextOrdering(field: string, ordering: string): string {
  if (ordering === field) return `-${field}`
  return ordering === `-${field}` ? '' : field
}

function sortTitle(header: string, field: string, ordering: string): string {
  const next = nextOrdering(field, ordering)
  if (next === '') return `Do not sort by ${header} any more`
  return `Sort by ${header}${next === field ? '' : ', descending'}`
}

const isHidden = (path: string, id: string) => store.get(settingsAtom).hidden[path]?.includes(id) ?? false

export function toggleColumn(path: string, id: string): void {
  const { hidden } = store.get(settingsAtom)
  const others = (hidden[path] ?? []).filter((one) => one !== id)
  store.set(settingsAtom, { hidden: { ...hidden, [path]: isHidden(path, id) ? others : [...others, id] } })
}

/** `date-joined` as `DateJoined`. */
const capitalized = (id: string) => id.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())
