import { atom } from 'jotai'
import type { ReactNode } from 'react'
import type { Row } from '../../api/loose.ts'
import type { Noun } from '../../commands/noun.ts'
import type { Column } from './column.ts'

export interface PeekProps<T extends object> {
  noun: Noun<T>
  /** What the panel shows of a record: every column of its list but the buttons. */
  columns: readonly Column<Row<T>>[]
  /** The rows of the page; null until they have come. */
  rows: readonly Row<T>[] | null
}

/** The panel of the focused row; null until the file of the dialogs, which has its code, has come. */
export const panelAtom = atom<{ Peek: <T extends object>(props: PeekProps<T>) => ReactNode } | null>(null)
