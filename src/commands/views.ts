import { atom, getDefaultStore } from 'jotai'
import type { Answer } from '../api/client.ts'
import { mutate, pathTo, read } from '../api/client.ts'
import type { View as WireView, ViewCounts } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { numberOf, text } from '../format.ts'
import { closeDialog, dialogAtom } from '../state/dialog.ts'
import {
  columnsKey,
  columnsKeyAtom,
  firstPage,
  hrefOf,
  parseListQuery,
  withParameters,
} from '../state/list.ts'
import { locationAtom, navigate } from '../state/location.ts'
import { settingsAtom } from '../state/settings.ts'
import { copyText } from './clipboard.ts'
import type { Command } from './command.ts'
import { openForm } from './form.ts'
import { defineForm } from './forms.ts'
import { listedAtom } from './list.ts'
import type { Load } from './loads.ts'
import type { Change } from './mutation.ts'
import { defineChange } from './mutation.ts'
import type { Noun } from './noun.ts'
import { allNouns } from './noun.ts'
import { runMutation } from './run.ts'
import { loadUndo } from './undo.ts'

/** A view that this staff member has saved. */
export interface SavedView {
  id: string
  noun: Noun
  name: string
  /** As the console writes it into an address: without defaults and page. */
  query: string
  hidden: readonly string[]
  /** The ids of the columns after the first one; empty for the order of S2, null if the view was saved without an order. */
  order: readonly string[] | null
  isPinned: boolean
  position: number
  row: Row<WireView>
}

const name = 'view'
const store = getDefaultStore()

/** The views of this staff member, in their order; null until they are loaded, and where the server has none. */
export const savedViewsAtom = atom<readonly SavedView[] | null>(null)

export const viewsLoad: Load<{ results: readonly Row<WireView>[] }> = {
  queryKey: [name, 'list'],
  queryFn: async ({ signal }) => ({ results: resultsOf<WireView>(await read('views/', signal)) }),
}

type Counts = Readonly<Record<string, number | null>>

/** How many records each pinned view shows, by its id; null if the server could not count them in time. */
export const countsLoad: Load<Counts> = {
  queryKey: ['viewCounts'],
  queryFn: async ({ signal }) => {
    const counts = resultsOf<ViewCounts['results'][number]>(await read('views/counts/', signal))
    return Object.fromEntries(counts.map(({ id, count }) => [text(id), numberOf(count)]))
  },
}

function resultsOf<T extends object>({ results }: { results?: unknown }): Row<T>[] {
  if (!Array.isArray(results)) throw new TypeError('The answer is not a list.')
  return results.filter((row): row is Row<T> => isRow<T>(row))
}

/** The views of the lists that the console has. */
export function viewsOf(rows: readonly Row<WireView>[]): SavedView[] {
  const nouns = new Map(allNouns().map((noun) => [noun.calls.collection, noun]))
  return rows.flatMap((row) => {
    const noun = nouns.get(text(row.list))
    const { column_order } = row
    return noun
      ? {
          ...{
            id: text(row.id),
            noun,
            name: text(row.name),
            query: withoutPage(text(row.query)),
            hidden: idsOf(row.hidden),
            order: typeof column_order === 'string' ? idsOf(column_order) : null,
            row,
          },
          isPinned: row.pinned === true,
          position: numberOf(row.position) ?? 0,
        }
      : []
  })
}

const idsOf = (value: unknown) => text(value).split(',').filter(Boolean)

const withoutPage = (search: string) =>
  withParameters('', { ...parseListQuery(search), page: firstPage.page })

export const hrefOfView = ({ noun: { path }, query, name }: SavedView) =>
  hrefOf(path, withParameters(query, { view: name }))

/** The query, the hidden columns and the order of columns of the list on screen. */
const shownAtom = atom((get) => {
  const { hidden, order } = get(settingsAtom)
  const key = get(columnsKeyAtom)
  return {
    query: withoutPage(get(locationAtom).search),
    hidden: hidden[key] ?? [],
    order: order[key] ?? [],
  }
})

/** The view that the list on screen shows, or from which it was changed after opening. */
export const currentViewAtom = atom((get): { view: SavedView; isChanged: boolean } | null => {
  const { path, search } = get(locationAtom)
  const shown = get(shownAtom)
  const views = get(savedViewsAtom)?.filter(({ noun }) => noun.path === path) ?? []
  const opened = views.find((view) => view.name === new URLSearchParams(search).get('view'))
  const view = opened ?? views.find((one) => isShown(one, shown))
  return view ? { view, isChanged: !isShown(view, shown) } : null
})

type Shown = Pick<SavedView, 'query' | 'hidden' | 'order'>

const isShown = (view: Shown, shown: Shown) =>
  view.query === shown.query &&
  view.hidden.toSorted().join() === shown.hidden.toSorted().join() &&
  (view.order ?? []).join() === (shown.order ?? []).join()

/** Whether the list on screen is filtered, searched, sorted or of another page size. */
export const isNarrowedAtom = atom((get) => get(shownAtom).query !== '')

const define = (
  change: string,
  verb: string,
  perform: Change['perform'],
  more: Pick<Change, 'inverse' | 'succeeded'> = {},
) =>
  defineChange({
    command: `${name}.${change}`,
    label: (ref) => `${verb} view ${ref.name}`,
    affects: [name],
    perform,
    // Without a reason the reply may be lost, and the change stored.
    failed: (reason) => reason || `The server did not confirm: ${verb} view`,
    ...more,
  })

const pathOf = (id: string) => pathTo('views/{id}/update/', id)

define('create', 'Save', async (_ref, args, key) => {
  const { search } = store.get(locationAtom)
  const answer = await mutate('views/create/', key, args)
  return store.get(locationAtom).search === search ? nameAddress(answer) : answer
})
define('update', 'Change', async ({ id }, args, key) => {
  const answer = await mutate(pathOf(id), key, args)
  // Not before the answer: another view may be on screen by then.
  return store.get(currentViewAtom)?.view.id === id ? nameAddress(answer) : answer
})
define('delete', 'Delete', ({ id }, _args, key) => mutate(pathOf(id), key, { deleted: true }), {
  inverse: 'view.restore',
  succeeded: () => 'View deleted',
})
define('restore', 'Restore', ({ id }, _args, key) => mutate(pathOf(id), key, { deleted: false }), {
  inverse: 'view.delete',
  succeeded: () => 'View restored',
})
// Undo entries that were stored before a reload and that could not be read without these declarations.
loadUndo()

/** Writes the name of the view into the address of its list, if that is still on screen. */
function nameAddress(answer: Answer): Answer {
  const [view] = answer.record ? viewsOf([answer.record]) : []
  const { path, search } = store.get(locationAtom)
  if (path !== view?.noun.path) return answer
  keepColumns(view, store.get(shownAtom))
  navigate(hrefOf(path, withParameters(search, { view: view.name })), { replace: true })
  return answer
}

/** A view that was saved without an order keeps the one that it has in this browser. */
function keepColumns({ noun, name }: SavedView, columns: Pick<Shown, 'hidden' | 'order'>): void {
  const { hidden, order } = store.get(settingsAtom)
  const key = columnsKey(noun.path, name)
  store.set(settingsAtom, {
    hidden: { ...hidden, [key]: columns.hidden },
    ...(columns.order && { order: { ...order, [key]: columns.order } }),
  })
}

/** Shows the columns of a view that is opened. */
export const showColumns = (view: SavedView) => keepColumns(view, view)

/** The same for an address from elsewhere, which this browser has not shown before. */
export function showColumnsOnce(): void {
  const current = store.get(currentViewAtom)
  if (
    current &&
    store.get(settingsAtom).hidden[columnsKey(current.view.noun.path, current.view.name)] === undefined
  )
    showColumns(current.view)
}

const longestName = 80

const form = defineForm({
  noun: name,
  title: (record) => (record ? 'Rename view' : 'Save view'),
  fields: (record) => [
    { name: 'name', label: 'Name', kind: 'text' },
    ...(record ? [] : [{ name: 'pinned', label: 'Pin to the sidebar', kind: 'checkbox' } as const]),
  ],
  values: (record) => {
    const { name, pinned }: Row<WireView> = isRow<WireView>(record) ? record : { name: nameInLink() }
    return { name: text(name), pinned: pinned === true }
  },
  missing: ({ name }) => {
    const { length } = text(name).trim()
    if (length === 0) return 'Enter a name'
    return length > longestName ? `A name has at most ${longestName} characters` : ''
  },
  nameOf: ({ name }) => text(name),
  fieldsOf: ({ name, pinned }, record) =>
    record
      ? { name }
      : { name, pinned, list: store.get(listedAtom)?.noun.calls.collection ?? '', ...shownFields() },
  button: { ready: 'Save', sending: 'Saving...' },
  closes: 'onSuccess',
  closesOnBackdrop: true,
})

/** A link from somebody else names a view that this staff member may not have yet. */
function nameInLink(): string {
  const linked = new URLSearchParams(store.get(locationAtom).search).get('view') ?? ''
  return store.get(currentViewAtom)?.view.name === linked ? '' : linked
}

function shownFields(): Pick<WireView, 'query' | 'hidden' | 'column_order'> {
  const { query, hidden, order } = store.get(shownAtom)
  return { query, hidden: hidden.join(), column_order: order.join() }
}

export const saveView: Command = {
  id: 'view.save',
  about: 'Save this list as a view',
  title: () => 'Save this list as a view',
  synonyms: ['save view', 'new view', 'bookmark', 'hifadhi'],
  keywords: 'filters columns order pin',
  keys: 'v',
  when: () => store.get(listedAtom) !== null,
  why: () => 'no list is on screen',
  run: () => {
    openForm(form, null)
    const [dialog, { key }] = [store.get(dialogAtom), store.get(locationAtom)]
    // By Back or Forward, another list is on screen, and would be saved under the name that was typed for this one. The draft is kept.
    const stop = store.sub(locationAtom, () => {
      if (store.get(locationAtom).key === key) return
      stop()
      if (store.get(dialogAtom) === dialog) closeDialog()
    })
  },
}

/** The command that opens a view. */
export function openCommand(view: SavedView): Command {
  const { noun } = view
  return {
    id: `view.open${view.id}`,
    about: `Open the view ${view.name}`,
    title: () => view.name,
    keywords: [noun.plural, noun.singular, ...(noun.words ?? []), 'saved view'].join(' '),
    note: () => `View of ${noun.plural}`,
    href: hrefOfView(view),
    run: () => {
      showColumns(view)
      navigate(hrefOfView(view))
    },
  }
}

/** The commands that change a view; `others` are the views of its list, in their order. */
export function changeCommands(view: SavedView, others: readonly SavedView[]): Command[] {
  const { id, noun, isPinned, row } = view
  const change = (args: object, verb: string) =>
    runMutation({
      command: 'view.update',
      refs: [{ noun: name, id, name: view.name }],
      args: { ...args, version: row.version },
      label: `${verb} view ${view.name}`,
    }).then(() => undefined)
  const pinned = others.filter((one) => one.isPinned)
  const above = isPinned ? pinned[pinned.indexOf(view) - 1] : undefined
  const command = (
    verb: string,
    title: string,
    rest: Pick<Command, 'run' | 'when' | 'isRisky' | 'verbs'>,
  ): Command => ({
    id: `view.${verb}${id}`,
    about: title,
    title: () => title,
    keywords: `${noun.plural} saved`,
    list: noun.path,
    isViewOption: true,
    ...rest,
  })
  return [
    command('update', `Update view ${view.name} to what is on screen`, {
      when: ({ path }) => path === noun.path && !isShown(view, store.get(shownAtom)),
      run: () => change(shownFields(), 'Update'),
    }),
    command('rename', `Rename view ${view.name}`, { run: () => openForm(form, row) }),
    command('pin', `Pin view ${view.name} to the sidebar`, {
      when: () => !isPinned,
      run: () => change({ pinned: true }, 'Pin'),
    }),
    command('unpin', `Unpin view ${view.name}`, {
      when: () => isPinned,
      run: () => change({ pinned: false }, 'Unpin'),
    }),
    command('moveUp', `Move view ${view.name} up`, {
      when: () => above !== undefined,
      run: () => change({ position: above?.position }, 'Move up'),
    }),
    command('copyLink', `Copy the link to view ${view.name}`, {
      run: () => copyText(`Copy link: ${view.name}`, window.location.origin + hrefOfView(view)),
    }),
    command('delete', `Delete view ${view.name}`, {
      isRisky: true,
      verbs: ['delete view', 'remove view'],
      run: async () => {
        const refs = [{ noun: name, id, name: view.name }]
        await runMutation({ command: 'view.delete', refs, args: {}, label: `Delete view ${view.name}` })
      },
    }),
  ]
}
