import { atom, getDefaultStore } from 'jotai'
import { columnsKeyAtom } from '../state/list.ts'
import { locationAtom } from '../state/location.ts'
import { settingsAtom } from '../state/settings.ts'
import type { Command } from './command.ts'
import { listHandleAtom } from './list.ts'

interface ListedColumn {
  id: string
  header: string
}

/** The columns of the table on screen; the table sets it. */
interface ListedColumns {
  /** The ids of all columns. */
  all: readonly string[]
  /** Those on screen, in their order. */
  shown: readonly ListedColumn[]
  /** How many columns of buttons are at the end. */
  buttons: number
  /** Makes a column so many pixels wider, or as wide as its contents. */
  resize(id: string, by: number | 'fit'): void
}

export const listedColumnsAtom = atom<ListedColumns | null>(null)

const store = getDefaultStore()

/** The focused column of the table on screen, with its index; null without a table with rows. */
function focused(): { column: ListedColumn; at: number } | null {
  const at = store.get(listHandleAtom)?.rows?.column ?? -1
  const column = store.get(listedColumnsAtom)?.shown[at]
  return column ? { column, at } : null
}

const onColumn = (
  id: string,
  title: (header: string) => string,
  run: (column: ListedColumn, at: number) => void,
  enabled: (at: number) => true | string = () => true,
): Command => ({
  id: `list.${id}`,
  about: title('of the focused cell'),
  title: () => title(focused()?.column.header ?? 'of the focused cell'),
  keywords: 'columns order arrange width size resize',
  isViewOption: true,
  when: () => focused() !== null,
  enabled: () => enabled(focused()?.at ?? 0),
  run: () => {
    const found = focused()
    if (found) run(found.column, found.at)
  },
})

const moving = (id: string, way: string, by: 1 | -1) =>
  onColumn(
    id,
    (header) => `Move the column ${header} ${way}`,
    (_column, at) => move(at, by),
    (at) => whyFixed(at) ?? whyFixed(at + by) ?? true,
  )

function whyFixed(at: number): string | null {
  const { shown = [], buttons = 0 } = store.get(listedColumnsAtom) ?? {}
  if (at <= 0) return 'the first column stays first'
  return at >= shown.length - buttons ? 'nothing can be after the last column' : null
}

/** In pixels. */
const step = 24

/** What can be done with the columns of the list on screen. Loaded after the first screen. */
export const columnCommands: readonly Command[] = [
  moving('columnLeft', 'left', -1),
  moving('columnRight', 'right', 1),
  onColumn(
    'columnWider',
    (header) => `Make the column ${header} wider`,
    ({ id }) => store.get(listedColumnsAtom)?.resize(id, step),
  ),
  onColumn(
    'columnNarrower',
    (header) => `Make the column ${header} narrower`,
    ({ id }) => store.get(listedColumnsAtom)?.resize(id, -step),
  ),
  onColumn(
    'columnFit',
    (header) => `Fit the column ${header} to its contents`,
    ({ id }) => store.get(listedColumnsAtom)?.resize(id, 'fit'),
  ),
  {
    id: 'list.resetColumns',
    about: 'Reset the columns of this list',
    title: () => 'Reset the columns of this list',
    keywords: 'columns order width default all show',
    isViewOption: true,
    when: () => store.get(listedColumnsAtom) !== null,
    run: reset,
  },
]

function move(at: number, by: 1 | -1): void {
  const { all = [], shown = [] } = store.get(listedColumnsAtom) ?? {}
  const { order } = store.get(settingsAtom)
  const key = store.get(columnsKeyAtom)
  const [id, other] = [shown[at]?.id ?? '', shown[at + by]?.id ?? '']
  const specified = all.slice(1)
  const ids = specified
    .toSorted((a, b) => (order[key] ? order[key].indexOf(a) - order[key].indexOf(b) : 0))
    .map((one) => (one === id ? other : one === other ? id : one))
  // Without an order of its own, a list that has its columns where S2 puts them again is the same as before.
  const isSpecified = ids.join() === specified.join()
  store.set(settingsAtom, { order: { ...order, [key]: isSpecified ? [] : ids } })
  store.get(listHandleAtom)?.rows?.toColumn(at + by)
}

/** Gives columns of the list on screen these widths. */
export function setWidths(chosen: Readonly<Record<string, number>>): void {
  const { path } = store.get(locationAtom)
  const named = Object.entries(chosen).map(([id, width]) => [`${path} ${id}`, width] as const)
  store.set(settingsAtom, { widths: { ...store.get(settingsAtom).widths, ...Object.fromEntries(named) } })
}

function reset(): void {
  const { hidden, order, widths } = store.get(settingsAtom)
  const { path } = store.get(locationAtom)
  const key = store.get(columnsKeyAtom)
  const others = Object.entries(widths).filter(([name]) => !name.startsWith(`${path} `))
  store.set(settingsAtom, {
    hidden: { ...hidden, [key]: [] },
    order: Object.fromEntries(Object.entries(order).filter(([name]) => name !== key)),
    widths: Object.fromEntries(others),
  })
}
