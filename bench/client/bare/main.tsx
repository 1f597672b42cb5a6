import { useVirtualizer } from '@tanstack/react-virtual'
import type { ComponentType } from 'react'
import { memo, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Column, List } from '../lists.ts'
import { lists, textOf } from '../lists.ts'
import { ask, known } from './pages.ts'
import type { PaletteProps } from './palette.tsx'

/**
 * The least that a React page with the same lists needs: a windowed table, side navigation, and a palette that only goes to
 * screens. It has no forms, selection, keys, error messages or checks. No page in React can be much faster.
 */
const rowHeight = 32
const tracksOf = ({ length }: readonly Column[]) => `repeat(${String(length)}, minmax(0, 1fr))`

// Not React.lazy: React holds back what it shows first for 300 ms.
let Palette: ComponentType<PaletteProps> | null = null
const loadPalette = async () => {
  Palette = (await import('./palette.tsx')).default
}

const Row = memo(function Row({
  row,
  columns,
  start,
}: {
  row: unknown
  columns: readonly Column[]
  start: number
}) {
  return (
    <div
      className="row"
      style={{ gridTemplateColumns: tracksOf(columns), transform: `translateY(${String(start)}px)` }}
    >
      {columns.map((column) =>
        column.kind === 'suspend' ? (
          <button key={column.key}>{textOf(row, column)}</button>
        ) : (
          <span key={column.key}>{textOf(row, column)}</span>
        ),
      )}
    </div>
  )
})

function Rows({ rows, columns }: { rows: readonly unknown[]; columns: readonly Column[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  return (
    <div className="scroller" ref={scroller}>
      <div className="all" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <Row key={key} row={rows[index]} columns={columns} start={start} />
        ))}
      </div>
    </div>
  )
}

const listAt = (path: string) => lists.find(({ name }) => path === `/${name}`) ?? lists[0]

function App() {
  const [list, setList] = useState(listAt(location.pathname))
  const [, setAnswered] = useState(0)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (list) void ask(list).answer.then(() => setAnswered((count) => count + 1))
  }, [list])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'k') return
      event.preventDefault()
      setOpen((open) => !open)
    }
    addEventListener('keydown', onKey)
    requestIdleCallback(() => void loadPalette())
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (!list) return null
  const go = (to: List) => {
    history.pushState(null, '', `/${to.name}`)
    setList(to)
  }
  const page = known(list)
  return (
    <div className="shell">
      <nav>
        {lists.map((one) => (
          <a
            key={one.name}
            href={`/${one.name}`}
            data-current={one === list}
            onPointerEnter={() => ask(one)}
            onClick={(event) => {
              event.preventDefault()
              go(one)
            }}
          >
            {one.title}
          </a>
        ))}
      </nav>
      <main>
        <h1>{list.title}</h1>
        <div className="head" style={{ gridTemplateColumns: tracksOf(list.columns) }}>
          {list.columns.map(({ key, label }) => (
            <span key={key}>{label}</span>
          ))}
        </div>
        {page ? (
          <Rows key={list.name} rows={page.results} columns={list.columns} />
        ) : (
          <div className="scroller" />
        )}
        <p>{page && `Page 1 / ${String(page.total_pages)}`}</p>
      </main>
      {isOpen && Palette && (
        <Palette
          close={() => setOpen(false)}
          go={(to) =>
            flushSync(() => {
              setOpen(false)
              go(to)
            })
          }
        />
      )}
    </div>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
