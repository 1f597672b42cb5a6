import { useAtomValue, useSetAtom } from 'jotai'
import { useLayoutEffect } from 'react'
import { listedColumnsAtom, setWidths } from '../../commands/columns.ts'
import type { RowMenuProps } from './late-parts.ts'
import { isAction } from './column.ts'
import { leastWidthOf, naturalWidth } from './column-widths.ts'
import { knownColumnsAtom } from './use-column-widths.ts'

/** Tells the commands for columns which ones are on screen, and how they are made wider. */
export function useListedColumns({ label, all, columns }: Pick<RowMenuProps, 'label' | 'all' | 'columns'>) {
  const sizes = useAtomValue(knownColumnsAtom).get(label)?.sizes
  const setColumns = useSetAtom(listedColumnsAtom)
  useLayoutEffect(() => {
    setColumns({
      all: all.map(({ id }) => id),
      shown: columns,
      buttons: columns.filter(isAction).length,
      resize: (id, by) => {
        const at = columns.findIndex((column) => column.id === id)
        const size = sizes?.get(id)
        if (!size) return
        const widths = [...document.querySelectorAll<HTMLElement>('[role=grid] th')].map((header) =>
          Math.round(header.getBoundingClientRect().width),
        )
        const width = by === 'fit' ? naturalWidth(size) : (widths[at] ?? 0) + by
        // The columns before it stay where they are, so that the dragged edge follows the pointer.
        const before = columns.slice(0, at).map((column, index) => [column.id, widths[index] ?? 0] as const)
        setWidths({ ...Object.fromEntries(before), [id]: Math.max(width, leastWidthOf(size)) })
      },
    })
    return () => setColumns(null)
  }, [all, columns, sizes, setColumns])
}
