import type { ReactNode } from 'react'

export interface Column<T> {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** Where the cell holds an element it is a link or a button, which takes the focus itself. */
  control?: true
  /** In rem, at least; what is left over is shared out in proportion. */
  width: number
  align?: 'end'
  /** The exact value, where the cell rounds, clips or misnames it (R4). */
  exact?: (row: T) => string
  /** The cell as text, where it is more than that; a control without it is not copied. */
  copy?: (row: T) => string
  /** The field of `ordering` that it shows. */
  sort?: string
}

/** A column of buttons stays in view however far the others are scrolled. */
export const isAction = <T>({ control, copy }: Column<T>) => control && !copy
