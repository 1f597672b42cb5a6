import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { useRef, useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { navigate, recall } from '../../../src/state/location.ts'
import { settingsAtom } from '../../../src/state/settings.ts'
import { useCellTabIndex } from '../../../src/views/ui/cell.ts'
import type { Column } from '../../../src/views/table/column.ts'
import type { TableHandle } from '../../../src/views/table/data-table.tsx'
import { DataTable } from '../../../src/views/table/data-table.tsx'
import { RecordLink } from '../../../src/views/table/record-link.tsx'

interface Row {
  id: number
  name: string
}

const press = vi.fn<(id: number) => void>()
const onActive = vi.fn<(row: Row | null) => void>()
const open = vi.fn<(row: Row) => void>()
const marked = vi.fn<(id: number) => void>()
/** Called with the id of each row that is rendered. */
const rendered = vi.fn<(id: number) => void>()

function PressButton({ row }: { row: Row }) {
  return (
    <button type="button" tabIndex={useCellTabIndex()} onClick={() => press(row.id)}>
      Press {row.id}
    </button>
  )
}

const columns: Column<Row>[] = [
  {
    id: 'id',
    header: 'ID #',
    width: 4,
    control: true,
    cell: ({ id }) => <RecordLink href={`/x/${id}`}>{id}</RecordLink>,
  },
  {
    id: 'name',
    header: 'Name',
    width: 12,
    cell: ({ name }) => name,
    exact: ({ name }) => (name ? `exactly ${name}` : 'no value'),
  },
  { id: 'note', header: 'Note', width: 4, align: 'end', cell: ({ id }) => `Note ${id}` },
  {
    id: 'mark',
    header: 'Mark',
    width: 4,
    cell: ({ id }) => {
      rendered(id)
      return <em>Mark {id}</em>
    },
  },
  { id: 'action', header: 'Action', width: 4, control: true, cell: (row) => <PressButton row={row} /> },
]
const rowsTo = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Name ${at + 1}` }))

let handle: TableHandle | null = null

interface Given {
  rows: Row[]
  offset?: number
  total?: number | null
  stale?: boolean
  isEarlier?: boolean
  busy?: number
  fault?: number
  isTall?: boolean
}

function Grid({
  rows,
  offset = 0,
  total = rows.length,
  stale = false,
  isEarlier = false,
  busy,
  fault,
  isTall = false,
}: Given) {
  const ref = useRef<TableHandle>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return (
    <DataTable
      label="Things"
      rows={rows}
      rowId={({ id }) => `row:${id}`}
      columns={columns}
      isTall={isTall}
      offset={offset}
      total={total}
      stale={stale}
      isEarlier={isEarlier}
      marks={({ id }) => {
        marked(id)
        return { busy: id === busy, fault: id === fault, past: false }
      }}
      onActive={onActive}
      open={open}
      sort={{ ordering: '', can: () => false, by: () => undefined, command: () => '' }}
      selected={
        new Map(rows.flatMap((row) => (selected.has(`row:${row.id}`) ? [[`row:${row.id}`, row]] : [])))
      }
      onSelect={setSelected}
      ref={(value) => {
        ref.current = value
        handle = value
      }}
    />
  )
}

const grid = () => screen.getByRole('grid', { name: 'Things' })
const dataRows = () => [...grid().querySelectorAll('tbody tr:not([aria-hidden])')]
const scroller = () => grid().parentElement ?? document.body
const scrollTo = (top: number) => fireEvent.scroll(scroller(), { target: { scrollTop: top } })
const focused = () => document.activeElement?.textContent
const tabStops = () => [...grid().querySelectorAll<HTMLElement>('[tabindex="0"]')]
const press_ = (key: string, init: KeyboardEventInit = {}) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, code: key, ...init })
}
/** The cell of a row and a column, both counted from 1. */
const cell = (row: number, column: number) =>
  within(grid()).getAllByRole('row')[row]?.querySelectorAll('td')[column - 1] ?? document.body

beforeEach(() => {
  // The next table of the same screen would get the focus that a table of an earlier test had.
  navigate('/elsewhere')
  navigate('/things')
})

describe('the grid', () => {
  it('has one tab stop, which follows the focus', async () => {
    const user = userEvent.setup()
    render(<Grid rows={rowsTo(20)} />)
    expect(tabStops().map(({ textContent }) => textContent)).toEqual(['1'])
    await user.tab()
    expect(focused()).toBe('1')
    await user.keyboard('{ArrowDown}{ArrowRight}')
    expect(focused()).toBe('Name 2')
    expect(tabStops()).toEqual([document.activeElement])
    await user.tab()
    expect(grid().contains(document.activeElement)).toBe(false)
    await user.tab({ shift: true })
    expect(focused()).toBe('Name 2')
  })

  it.each([1, 2, 3, 4, 5])('has its tab stop in column %i too, whatever the cell contains', (column) => {
    render(<Grid rows={rowsTo(3)} />)
    act(() => tabStops()[0]?.focus())
    for (let at = 1; at < column; at++) press_('ArrowRight')
    expect(tabStops()).toEqual([document.activeElement])
    expect(cell(1, column).contains(document.activeElement)).toBe(true)
  })

  it('gives the total and the position of each row to screen readers', () => {
    render(<Grid rows={rowsTo(3)} offset={100} total={345} />)
    expect(grid().getAttribute('aria-rowcount')).toBe('346')
    expect(grid().getAttribute('aria-colcount')).toBe('5')
    const indexes = within(grid())
      .getAllByRole('row')
      .map((row) => row.getAttribute('aria-rowindex'))
    expect(indexes).toEqual(['1', '102', '103', '104'])
  })

  it('gives no total if it is unknown', () => {
    render(<Grid rows={rowsTo(3)} total={null} />)
    expect(grid().getAttribute('aria-rowcount')).toBe('-1')
  })

  it('has its headers, and exact values where cells round or clip (R4)', () => {
    render(<Grid rows={rowsTo(1)} />)
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'ID #',
      'Name',
      'Note',
      'Mark',
      'Action',
    ])
    expect(cell(1, 2).title).toBe('exactly Name 1')
    expect(cell(1, 3).title).toBe('Note 1')
  })

  it('dims a cell whose exact value is "no value" (R4)', () => {
    render(<Grid rows={[...rowsTo(1), { id: 2, name: '' }]} />)
    expect([cell(1, 2), cell(2, 2)].map(({ dataset }) => dataset['none'])).toEqual([undefined, 'true'])
    expect(cell(2, 2).title).toBe('no value')
  })

  it('moves the focus between rows with the same id', () => {
    const [row] = rowsTo(1)
    if (!row) throw new Error('No row.')
    render(<Grid rows={[row, { ...row, name: 'Again' }, { ...row, name: 'And again' }]} />)
    expect(dataRows()).toHaveLength(3)
    act(() => tabStops()[0]?.focus())
    press_('ArrowRight')
    press_('ArrowDown')
    press_('ArrowDown')
    expect(focused()).toBe('And again')
    press_('ArrowUp')
    expect(focused()).toBe('Again')
  })

  it('marks busy, failed and stale rows without moving them (R3)', () => {
    render(<Grid rows={rowsTo(3)} busy={2} fault={3} stale />)
    expect(dataRows().map((row) => row.getAttribute('aria-busy'))).toEqual([null, 'true', null])
    const mark = screen.getByRole('img', { name: 'The last action on this row failed' })
    expect(dataRows()[2]?.contains(mark)).toBe(true)
    expect(grid().getAttribute('aria-busy')).toBe('true')
  })
})

describe('keys in the grid', () => {
  const steps: [string, string[], string][] = [
    ['one down', ['ArrowDown'], '2'],
    ['one down and up', ['ArrowDown', 'ArrowUp'], '1'],
    ['up from the first row', ['ArrowUp'], '1'],
    ['one right', ['ArrowRight'], 'Name 1'],
    ['left from the first column', ['ArrowLeft'], '1'],
    ['to the end of the row', ['End'], 'Press 1'],
    ['right from the last column', ['End', 'ArrowRight'], 'Press 1'],
    ['back to the start of the row', ['ArrowDown', 'End', 'Home'], '2'],
    ['a screen down', ['PageDown'], '19'],
    ['a screen down and up', ['PageDown', 'PageUp'], '1'],
    ['down beyond the end', ['PageDown', 'PageDown', 'PageDown', 'PageDown'], '50'],
    ['to the last cell', ['mod+End'], 'Press 50'],
    ['to the first cell', ['mod+End', 'mod+Home'], '1'],
    ['down from the last row', ['mod+End', 'ArrowDown'], 'Press 50'],
  ]
  it.each(steps)('go %s: after %j the focus is on %s', (_what, keys, end) => {
    render(<Grid rows={rowsTo(50)} />)
    act(() => tabStops()[0]?.focus())
    for (const key of keys) press_(key.replace('mod+', ''), { ctrlKey: key.startsWith('mod+') })
    expect(focused()).toBe(end)
  })

  it('do not scroll the browser, but keys with Alt stay with it', () => {
    render(<Grid rows={rowsTo(5)} />)
    act(() => tabStops()[0]?.focus())
    const target = document.activeElement ?? document.body
    expect(fireEvent.keyDown(target, { key: 'ArrowDown', code: 'ArrowDown' })).toBe(false)
    expect(fireEvent.keyDown(target, { key: 'ArrowDown', code: 'ArrowDown', altKey: true })).toBe(true)
  })

  it('do nothing while the focus is elsewhere', () => {
    render(<Grid rows={rowsTo(5)} />)
    press_('ArrowDown')
    expect(document.activeElement).toBe(document.body)
  })

  it('focus the link or the button inside a cell', async () => {
    const user = userEvent.setup()
    render(<Grid rows={rowsTo(3)} />)
    act(() => tabStops()[0]?.focus())
    expect(document.activeElement?.tagName).toBe('A')
    await user.keyboard('{ArrowDown}{End}{Enter}')
    expect(press).toHaveBeenCalledWith(2)
  })
})

describe('the active row', () => {
  it('is null until a row has had the focus', async () => {
    const user = userEvent.setup()
    render(<Grid rows={rowsTo(3)} />)
    expect(onActive.mock.lastCall).toEqual([null])
    expect(grid().querySelector('tr[data-active=true]')).toBeNull()
    await user.click(cell(2, 2))
    expect(onActive.mock.lastCall?.[0]?.id).toBe(2)
    expect(grid().querySelector('tr[data-active=true]')).toBe(dataRows()[1])
  })

  it('is null again when the table is unmounted', async () => {
    const user = userEvent.setup()
    const { unmount } = render(<Grid rows={rowsTo(3)} />)
    await user.click(cell(2, 2))
    unmount()
    expect(onActive.mock.lastCall).toEqual([null])
  })

  it('stays on its record when the rows reload in another order', async () => {
    const user = userEvent.setup()
    const [one, two, three] = rowsTo(3)
    if (!one || !two || !three) throw new Error('No rows.')
    const { rerender } = render(<Grid rows={[one, two, three]} />)
    await user.click(cell(2, 2))
    expect(focused()).toBe('Name 2')
    rerender(<Grid rows={[three, one, { ...two, name: 'Renamed' }]} />)
    expect(focused()).toBe('Renamed')
    expect(onActive.mock.lastCall?.[0]).toEqual({ id: 2, name: 'Renamed' })
    press_('ArrowUp')
    expect(focused()).toBe('Name 1')
  })

  it('moves with the list commands: first to the row with the tab stop, then to the next ones', () => {
    render(<Grid rows={rowsTo(3)} />)
    act(() => handle?.move(1))
    expect(focused()).toBe('1')
    act(() => handle?.move(1))
    expect(focused()).toBe('2')
    act(() => handle?.move(-1))
    expect(focused()).toBe('1')
    act(() => handle?.move(-1))
    expect(focused()).toBe('1')
  })

  it('is opened by the open command, which does nothing without an active row', () => {
    render(<Grid rows={rowsTo(3)} />)
    act(() => handle?.open())
    expect(open).not.toHaveBeenCalled()
    act(() => handle?.move(1))
    act(() => handle?.move(1))
    act(() => handle?.open())
    expect(open.mock.calls.map(([row]) => row.id)).toEqual([2])
  })

  it('is remembered with the history entry', async () => {
    const user = userEvent.setup()
    render(<Grid rows={rowsTo(3)} />)
    await user.click(cell(2, 3))
    expect(recall()).toMatchObject({ row: 'row:2', column: 2 })
  })
})

it('another focused row renders the table once', async () => {
  const user = userEvent.setup()
  render(<Grid rows={rowsTo(20)} />)
  await user.tab()
  expect(focused()).toBe('1')
  // The first frame has fewer.
  await waitFor(() => expect(dataRows()).toHaveLength(20))
  marked.mockClear()
  act(() => handle?.move(1))
  expect(focused()).toBe('2')
  // Once for each row.
  expect(marked).toHaveBeenCalledTimes(20)
})

it('another focused row renders only the two rows concerned', async () => {
  const user = userEvent.setup()
  render(<Grid rows={rowsTo(20)} />)
  await user.tab()
  await waitFor(() => expect(dataRows()).toHaveLength(20))
  rendered.mockClear()
  act(() => handle?.move(1))
  expect(focused()).toBe('2')
  expect(rendered.mock.calls.flat()).toEqual([1, 2])
})

describe('many rows', () => {
  it('are all in the document up to 200, for find-in-page and screen readers, and the table is busy until then', async () => {
    render(<Grid rows={rowsTo(200)} />)
    expect(dataRows().length).toBeLessThan(200)
    expect(grid().getAttribute('aria-busy')).toBe('true')
    await waitFor(() => expect(dataRows()).toHaveLength(200))
    expect(grid().getAttribute('aria-busy')).toBe('false')
  })

  it('above 200 are only rendered near the viewport, and the table keeps its full height', () => {
    render(<Grid rows={rowsTo(1000)} />)
    expect(dataRows().length).toBeGreaterThan(15)
    expect(dataRows().length).toBeLessThan(80)
    const height = [...grid().querySelectorAll<HTMLElement>('tbody tr')]
      .map(({ style }) => Number.parseFloat(style.height))
      .reduce((sum, one) => sum + one, 0)
    expect(height).toBe(36_000)
  })

  it('are rendered while they are scrolled into view', () => {
    render(<Grid rows={rowsTo(1000)} />)
    scrollTo(18_000)
    expect(screen.getByText('Name 501')).toBeTruthy()
    expect(screen.queryByText('Name 1')).toBeTruthy() // Kept, because it has the tab stop.
    expect(screen.queryByText('Name 100')).toBeNull()
    expect(recall().scroll).toBe(18_000)
  })

  it('are not rendered again while they stay in view', () => {
    render(<Grid rows={rowsTo(1000)} />)
    scrollTo(18_000)
    const before = new Set(dataRows().map((row) => row.getAttribute('data-index')))
    rendered.mockClear()
    scrollTo(18_200)
    const added = dataRows().flatMap((row) => {
      const index = row.getAttribute('data-index')
      return before.has(index) ? [] : [Number(index) + 1]
    })
    expect(added.length).toBeGreaterThan(0)
    expect(rendered.mock.calls.flat()).toEqual(added)
  })

  it('are not looked at again while a scroll brings none and takes none away', async () => {
    render(<Grid rows={rowsTo(1000)} />)
    scrollTo(18_000)
    await waitFor(() => expect(lastNear()).toBeGreaterThan(530))
    const before = dataRows()
    marked.mockClear()
    scrollTo(18_036)
    expect(dataRows()).toEqual(before)
    expect(marked).not.toHaveBeenCalled()
    scrollTo(18_216)
    expect(dataRows()).not.toEqual(before)
    expect(marked).toHaveBeenCalled()
  })

  /** The index of the last rendered row, without those that are kept because the columns are measured with them. */
  const lastNear = () =>
    Math.max(
      ...[...grid().querySelectorAll<HTMLElement>('tr[data-index]')]
        .map(({ dataset }) => Number(dataset['index']))
        .filter((index) => index < 900),
    )

  it('above 200 are first only those that are seen, and after the first frame also those that a fast scroll shows next', async () => {
    render(<Grid rows={rowsTo(1000)} />)
    const first = lastNear()
    expect(first).toBeLessThan(window.innerHeight / 36)
    await waitFor(() => expect(lastNear()).toBeGreaterThan(first + 20))
  })

  it('are rendered ahead on the side to which the table is scrolled, for what a fast scroll shows next', async () => {
    render(<Grid rows={rowsTo(1000)} />)
    scrollTo(18_000)
    expect(screen.queryByText('Name 490')).toBeNull()
    await waitFor(() => expect(lastNear()).toBeGreaterThan(520))
    const below = lastNear()
    scrollTo(17_964)
    expect(screen.getByText('Name 477')).toBeTruthy()
    expect(lastNear()).toBeLessThan(below - 10)
  })

  it('give the focus to the cell when a checkbox in it is clicked, so that the arrow keys go on', async () => {
    const user = userEvent.setup()
    render(<Grid rows={rowsTo(3)} />)
    const box = cell(2, 1).querySelector('input')
    await user.click(box ?? document.body)
    expect(box?.checked).toBe(true)
    press_('ArrowDown')
    expect(document.activeElement?.closest('tr')?.getAttribute('data-index')).toBe('2')
  })

  it('keep the focused row rendered, wherever the table is scrolled', async () => {
    const user = userEvent.setup()
    render(<Grid rows={rowsTo(1000)} />)
    await user.click(cell(5, 2))
    const before = document.activeElement
    expect(focused()).toBe('Name 5')
    scrollTo(30_000)
    expect(document.activeElement).toBe(before)
    expect(before?.isConnected).toBe(true)
    scrollTo(0)
    expect(document.activeElement).toBe(before)
    press_('ArrowDown')
    expect(focused()).toBe('Name 6')
  })

  it('are reached by keys, also rows that are not rendered yet', async () => {
    render(<Grid rows={rowsTo(1000)} />)
    act(() => tabStops()[0]?.focus())
    press_('End', { ctrlKey: true })
    await waitFor(() => expect(focused()).toBe('Press 1000'))
    expect(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')).toBe('1001')
    await waitFor(() => expect(screen.getByText('Name 990')).toBeTruthy())
    press_('Home', { ctrlKey: true })
    await waitFor(() => expect(focused()).toBe('1'))
  })

  it('are 28 px high in the compact density', () => {
    const store = createStore()
    store.set(settingsAtom, { density: 'compact' })
    render(
      <Provider store={store}>
        <Grid rows={rowsTo(3)} />
      </Provider>,
    )
    expect(dataRows().map((row) => row.getAttribute('style'))).toEqual(Array(3).fill('height: 28px;'))
  })
  it('do not store the scroll position of an earlier answer for the page that is loading', () => {
    const { rerender } = render(<Grid rows={rowsTo(1000)} />)
    scrollTo(9_000)
    navigate('/things?page=2')
    rerender(<Grid rows={rowsTo(1000)} stale isEarlier />)
    scrollTo(12_000)
    expect(recall().scroll).toBeUndefined()
    rerender(<Grid rows={rowsTo(1000)} />)
    scrollTo(3_000)
    expect(recall().scroll).toBe(3_000)
  })

  it('are twice as high in a list whose texts wrap, also those that are not rendered', async () => {
    render(<Grid rows={rowsTo(1000)} isTall />)
    await waitFor(() => expect(dataRows().length).toBeGreaterThan(0))
    const heights = [...document.querySelectorAll<HTMLElement>('tbody tr')].map((row) =>
      parseFloat(row.style.height),
    )
    expect(heights[0]).toBe(72)
    expect(heights.reduce((sum, height) => sum + height)).toBe(72_000)
  })
})
