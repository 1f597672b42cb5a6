import { getDefaultStore } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { listCommands, listHandleAtom } from '../../commands/list.ts'
import { runHere } from '../../commands/run-command.ts'

const store = getDefaultStore()

interface Point {
  /** What was pressed: a row, or the header of a column. */
  place: 'row' | 'column'
  x: number
  y: number
}

/**
 * A double click on a row of a table opens it, as Enter does. A right click asks for its menu, as the Menu key and Shift+F10
 * do at the focused cell; a right click on a header asks for that of its column. Returns the place of the menu, null while there is none, and a function that closes it.
 */
export function useRowMouse() {
  const [point, setPoint] = useState<Point | null>(null)
  useEffect(() => {
    // In Safari and Chrome on macOS, a right click selects the word under it.
    let last = { isKey: false, hasText: false }
    const note = (event: Event) => {
      last = { isKey: event.type === 'keydown', hasText: document.getSelection()?.isCollapsed === false }
    }
    const onContextMenu = (event: MouseEvent) => {
      const header = event.target instanceof Element ? event.target.closest('[role=grid] th') : null
      if (header instanceof HTMLTableCellElement) {
        event.preventDefault()
        document.getSelection()?.empty()
        // At once: the menu names the column.
        flushSync(() => store.get(listHandleAtom)?.rows?.toColumn(header.cellIndex))
        setPoint({ place: 'column', x: event.clientX, y: event.clientY })
        return
      }
      const cell = cellOf(event.target)
      // The browser's own menu: for selected text, and for links and fields unless a key asked for the focused row's.
      if (!cell || last.hasText || (!last.isKey && isControl(event.target, 'a,input'))) return
      event.preventDefault()
      document.getSelection()?.empty()
      // A long press on a touch screen has not focused the row.
      if (cell.closest('tr')?.dataset['active'] !== 'true') cell.focus({ preventScroll: true })
      const { left, bottom } = cell.getBoundingClientRect()
      setPoint({
        place: 'row',
        ...(last.isKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY }),
      })
    }
    const onDoubleClick = (event: MouseEvent) => {
      if (!cellOf(event.target) || isControl(event.target, 'a,button,input')) return
      if (event.shiftKey || event.ctrlKey || event.metaKey) return
      document.getSelection()?.empty()
      const open = listCommands.find(({ id }) => id === 'list.open')
      if (open) runHere(open)
    }
    const listeners = new AbortController()
    const { signal } = listeners
    for (const type of ['pointerdown', 'keydown'])
      document.addEventListener(type, note, { signal, capture: true })
    document.addEventListener('contextmenu', onContextMenu, { signal })
    document.addEventListener('dblclick', onDoubleClick, { signal })
    return () => listeners.abort()
  }, [])
  const close = useCallback(() => setPoint(null), [])
  return [point, close] as const
}

/** The cell of a row that an event happened in; between the cells of a card, its first one. */
function cellOf(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element)) return null
  const row = target.closest('[role=grid] tr[data-index]')
  return row && (target.closest('td') ?? row.querySelector('td'))
}

const isControl = (target: EventTarget | null, controls: string) =>
  target instanceof Element && target.closest(controls) !== null
