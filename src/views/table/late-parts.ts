import { atom } from 'jotai'
import type { ComponentType, ReactNode } from 'react'
import type { Row } from '../../api/loose.ts'
import type { Command, Context } from '../../commands/command.ts'
import type { Noun } from '../../commands/noun.ts'
import type { Column } from './column.ts'
import type { Trigger } from '../ui/trigger.ts'

export interface ColumnsMenuProps {
  /** The path of the list. */
  path: string
  columns: readonly { id: string; header: string }[]
}

export interface FilterMenuProps {
  noun: Pick<Noun, 'path' | 'calls' | 'filters' | 'date' | 'owners'>
  /** The names of the terms that the server offers. */
  offered: readonly string[]
}

export interface SelectionBarProps {
  targets: Context['targets']
  /** How many of the targets are on other pages than the one on screen. */
  elsewhere: number
  /** All rows of the page are selected. */
  isWholePage: boolean
  /** Of the screen; those that can be done to the selection are offered. */
  commands: readonly Command[]
  clear: () => void
  /** Takes the focus when the button that had it is gone. */
  leave: () => void
}

export interface PeekProps<T extends object> {
  noun: Noun<T>
  /** What the panel shows of a record: every column of its list but the buttons. */
  columns: readonly Column<Row<T>>[]
  /** The rows of the page; null until they have come. */
  rows: readonly Row<T>[] | null
}

interface LateParts {
  ColumnChoices: ComponentType<ColumnsMenuProps & { trigger: Trigger }>
  FilterChoices: ComponentType<FilterMenuProps & { trigger: Trigger }>
  SelectionBar: ComponentType<SelectionBarProps>
  /** The name of the saved view that the list shows, and buttons that save it. */
  ViewTools: ComponentType
  ViewsMenu: ComponentType<{ noun: Noun }>
  /** The panel of the focused row. */
  Peek: <T extends object>(props: PeekProps<T>) => ReactNode
}

/** Parts of a list that the first rows do not need; null until their code has come, in the file of the dialogs. */
export const latePartsAtom = atom<LateParts | null>(null)
