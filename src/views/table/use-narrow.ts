import { useSyncExternalStore } from 'react'
import { remInPixels } from './column-widths.ts'

// As in data-table.module.css.
const narrow = window.matchMedia('(max-width: 639.98px)')

/** Whether the window is so narrow that the rows of tables are cards. */
export const useNarrow = () => useSyncExternalStore(onChange, () => narrow.matches)

function onChange(render: () => void): () => void {
  narrow.addEventListener('change', render)
  return () => narrow.removeEventListener('change', render)
}

/** The height of a card in pixels; in rem in data-table.module.css. */
export const cardHeight = (isTall: boolean) => (isTall ? 15 : 6.5) * remInPixels()
