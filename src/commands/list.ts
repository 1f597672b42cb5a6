import { atom, getDefaultStore } from 'jotai'
import { capabilitiesAtom } from '../api/config.ts'
import type { ListQuery } from '../api/contract.ts'
import { columnsKeyAtom, hrefOf, listQueryAtom, pageSizes, withParameters } from '../state/list.ts'
import { locationAtom, navigate } from '../state/location.ts'
import { settingsAtom } from '../state/settings.ts'
import { copyText } from './clipboard.ts'
import type { Command } from './command.ts'
import type { Noun } from './noun.ts'

/** The keyboard actions of the list on screen; the list sets them while it is mounted. */
interface ListHandle {
  move(by: number): void
  open(): void
  search(): void
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
  /** The index of the focused column. */
  column: number
  toColumn(index: number): void
}

export const listHandleAtom = atom<ListHandle | null>(null)

/** The pages of what is on screen; set by what shows them, also where that is no list of records. */
export const pagesAtom = atom<Pick<ListHandle, 'previousPage' | 'nextPage' | 'goTo'> | null>(null)

/** What the list on screen shows. */
export interface Listed {
  noun: Noun
  /** What was asked for the rows on screen. */
  query: ListQuery
  /** Null until its rows are loaded. */
  totalPages: number | null
  /** Rows on all pages; null if the server does not say. */
  count: number | null
  /** A table, whose rows can be selected; false for cards. */
  hasRows: boolean
}

/** The list sets it while it is mounted. */
export const listedAtom = atom<Listed | null>(null)

const store = getDefaultStore()
const handle = () => store.get(listHandleAtom)
const pages = () => handle() ?? store.get(pagesAtom)

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

const ofPages = (id: 'previousPage' | 'nextPage', about: string, keys: string, cannot: string): Command => ({
  id: `list.${id}`,
  about,
  title: () => about,
  keys,
  when: () => typeof pages()?.[id] === 'number',
  why: () => (pages() ? cannot : 'no list is on screen'),
  run: () => pages()?.goTo(pages()?.[id] ?? 1),
})

const whileHeld = (command: Command): Command => ({ ...command, repeats: true })

/** Offered wherever a list is on screen. */
export const listCommands: readonly Command[] = [
  whileHeld(onList('next', 'Next row', 'j', (list) => list.move(1))),
  whileHeld(onList('previous', 'Previous row', 'k', (list) => list.move(-1))),
  onList('open', 'Open the focused row', 'enter', (list) => list.open()),
  onList('search', 'Search this list', '/', (list) => list.search()),
  ofPages('previousPage', 'Previous page', '[', 'this is the first page'),
  ofPages('nextPage', 'Next page', ']', 'this is the last page'),
  onRows('select', 'Select the focused row', 'x', (rows) => rows.toggle()),
  whileHeld(onRows('extendDown', 'Extend the selection down', 'shift+j', (rows) => rows.extend(1))),
  whileHeld(onRows('extendUp', 'Extend the selection up', 'shift+k', (rows) => rows.extend(-1))),
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
  {
    id: 'list.unsort',
    about: 'Do not sort this list any more',
    title: () => 'Do not sort this list any more',
    isViewOption: true,
    when: () => handle() !== null && ordering() !== '',
    run: () => orderBy(''),
  },
]

/** What the commands for columns need to know of a column. */
interface ListColumn {
  id: string
  header: string
  sort?: string
}

/** What the commands for the view of a list need to know of it. */
interface Viewed {
  path: string
  plural: string
  words?: readonly string[]
  calls: { collection: string }
}

/**
 * How a list is shown: the order and the columns, the rows of a page, and on paper. On other screens each of them opens
 * the list too.
 */
export function viewCommands(list: Viewed, columns: readonly ListColumn[]): Command[] {
  return [
    ...columns.flatMap((column) => [...sortCommands(list, column), columnCommand(list, column, columns)]),
    ...pageSizes.map((size) =>
      viewCommand(list, {
        id: sizeId(list.path, size),
        about: `Show ${size} ${list.plural} a page`,
        title: (isHere) => `Show ${size} ${isHere ? 'rows' : list.plural} a page`,
        keywords: 'page size length per rows',
        when: (isHere) =>
          store.get(capabilitiesAtom).page_size && !(isHere && store.get(listQueryAtom).size === size),
        run: () => showList(list.path, { size }),
      }),
    ),
    viewCommand(list, {
      id: `${list.path.slice(1)}.print`,
      about: `Print the ${list.plural}`,
      title: (isHere) => `Print ${isHere ? 'this list' : `the ${list.plural}`}`,
      keywords: 'paper pdf',
      when: (isHere) => !isHere || handle() !== null,
      run: () => printList(list.path),
    }),
  ]
}

interface View {
  id: string
  about: string
  /** `isHere` tells whether the list is on screen. */
  title: (isHere: boolean) => string
  keywords: string
  when: (isHere: boolean) => boolean
  run: () => void
}

const viewCommand = ({ path, words = [] }: Viewed, view: View): Command => ({
  id: view.id,
  about: view.about,
  title: (context) => view.title(context.path === path),
  keywords: [view.keywords, ...words].join(' '),
  isViewOption: true,
  list: path,
  when: (context) => view.when(context.path === path),
  run: view.run,
})

/** None if the server cannot sort by the column. */
function sortCommands(list: Viewed, { id, header, sort }: ListColumn): Command[] {
  if (sort === undefined) return []
  const { path, plural } = list
  const sorted = (current: string, order: string, suffix: string, keywords: string) =>
    viewCommand(list, {
      id: sortId(path, { id, sort }, current),
      about: `Sort ${plural} by ${header}${suffix}`,
      title: (isHere) => `Sort ${isHere ? '' : `${plural} `}by ${header}${suffix}`,
      keywords: `order arrange sorted ${keywords}`,
      when: (isHere) => canSort(list.calls.collection, sort) && !(isHere && ordering() === order),
      run: () => showList(path, { ordering: order }),
    })
  return [
    sorted('', sort, '', 'ascending up lowest oldest first'),
    sorted(sort, `-${sort}`, ', descending', 'desc down highest newest most first'),
  ]
}

function columnCommand(list: Viewed, { id, header }: ListColumn, columns: readonly ListColumn[]): Command {
  const { path, plural } = list
  const doing = () => (isHidden(path, id) ? 'Show' : 'Hide')
  return viewCommand(list, {
    id: toggleId(path, id),
    about: `Show or hide the column ${header} of ${plural}`,
    title: (isHere) => `${doing()} the column ${header}${isHere ? '' : ` of ${plural}`}`,
    keywords: '',
    when: () => isHidden(path, id) || columns.some((one) => one.id !== id && !isHidden(path, one.id)),
    run: () => {
      toggleColumn(path, id)
      if (store.get(locationAtom).path !== path) navigate(path)
    },
  })
}

/** Shows the first page of a list with these parameters; a list that is not on screen is opened. */
function showList(path: string, change: Partial<ListQuery>): void {
  if (store.get(locationAtom).path === path) store.set(listQueryAtom, { ...change, page: 1 })
  else navigate(hrefOf(path, withParameters('', change)))
}

/** A list that is not on screen is opened, and printed once its rows are there, unless another screen was opened meanwhile. */
function printList(path: string): void {
  if (store.get(locationAtom).path === path) {
    window.print()
    return
  }
  navigate(path)
  const stop = store.sub(listedAtom, () => {
    const listed = store.get(listedAtom)
    const isLeft = store.get(locationAtom).path !== path
    const isLoaded = listed?.noun.path === path && listed.totalPages !== null
    if (isLeft || isLoaded) stop()
    // The table adds its rows to the page right after this.
    if (isLoaded) setTimeout(() => window.print())
  })
}

/** The id of the command that sets the number of rows of a page of a list. */
export const sizeId = (path: string, size: number): string => `${path.slice(1)}.rows${size}`

/** The id of the command that shows or hides a column. */
export const toggleId = (path: string, column: string): string =>
  `${path.slice(1)}.toggle${capitalized(column)}`

/** The id of the command that does what the next click on the header of a column does. */
export function sortId(
  path: string,
  { id, sort = '' }: Pick<ListColumn, 'id' | 'sort'>,
  current: string,
): string {
  const next = nextOrdering(sort, current)
  const command = `${path.slice(1)}.sortBy${capitalized(id)}`
  return next === '' ? 'list.unsort' : next === sort ? command : `${command}Descending`
}

const canSort = (collection: string, field: string) =>
  store.get(capabilitiesAtom).ordering[collection]?.includes(field) ?? false

/** Sorts ascending, then descending, then in the server's default order. */
export function sortBy(field: string): void {
  orderBy(nextOrdering(field, ordering()))
}

const ordering = () => store.get(listQueryAtom).ordering
const orderBy = (field: string) => store.set(listQueryAtom, { ordering: field, page: 1 })

function nextOrdering(field: string, current: string): string {
  if (current === field) return `-${field}`
  return current === `-${field}` ? '' : field
}

const isHidden = (path: string, id: string) =>
  store.get(settingsAtom).hidden[keyOf(path)]?.includes(id) ?? false

const keyOf = (path: string) => (store.get(locationAtom).path === path ? store.get(columnsKeyAtom) : path)

export function toggleColumn(path: string, id: string): void {
  const { hidden } = store.get(settingsAtom)
  const key = keyOf(path)
  const others = (hidden[key] ?? []).filter((one) => one !== id)
  store.set(settingsAtom, { hidden: { ...hidden, [key]: isHidden(path, id) ? others : [...others, id] } })
}

/** `date-joined` as `DateJoined`. */
export const capitalized = (id: string) =>
  id.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())
