import type { ReactNode } from 'react'
import type { State } from '../ui/mark.tsx'

export interface Column<T> {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** Whether the content is a link or a button, in every row or in this one. It then gets the focus instead of the cell. */
  control?: true | ((row: T) => boolean)
  /** The width in rem down to which longer content is cut before the whole table is made tighter. */
  width: number
  align?: 'end'
  /** How many characters its longest text can have, if that is known. Columns are measured with such a text, and no more are looked at. */
  maxLength?: number
  /** What is marked beside the content, if anything. */
  state?: (row: T) => State | false
  /** The exact value, if the cell rounds it, cuts it off or gives it another name (R4). */
  exact?: (row: T) => string
  /** The text to copy, if the content is not plain text. A control without it is not copied. */
  copy?: (row: T) => string
  /**
   * Its place on the cards that rows are in narrow windows: the name of the record, or at the end of the line of the name.
   * The other columns follow with their headers; `plain` ones without.
   */
  card?: 'name' | 'end' | 'plain'
  /** The value of `ordering` that sorts by this column. */
  sort?: string
}

/** A column of buttons stays visible when the table is scrolled sideways. */
export const isAction = <T>({ control, copy }: Pick<Column<T>, 'control' | 'copy'>) => control && !copy
