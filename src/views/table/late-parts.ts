import { atom } from 'jotai'
import type { ComponentType, ReactNode, RefObject } from 'react'
import type { Row } from '../../api/loose.ts'
import type { Command, Context } from '../../commands/command.ts'
import type { Chip } from '../../commands/filters.ts'
import type { Noun } from '../../commands/noun.ts'
import type { Column } from './column.ts'
import type { Trigger } from '../ui/trigger.ts'

export interface ColumnsMenuProps {
  /** The path of the list. */
  path: string
  columns: readonly { id: string; header: string }[]
}

export interface FilterMenuProps {
  noun: Pick<Noun, 'path' | 'calls' | 'search' | 'filters' | 'date' | 'owners'>
  /** The names of the terms that the server offers. */
  offered: readonly string[]
}

export interface SelectionBarProps {
  targets: Context['targets']
  /** How many of the targets are on other pages than the one on screen. */
  elsewhere: number
  /** How many rows the page on screen has, selected or not. */
  rowsOnPage: number
  /** Of the screen; those that can be done to the selection are offered. */
  commands: readonly Command[]
  clear: () => void
  /** Takes the focus when the button that had it is gone. */
  leave: () => void
}

/** The search of a list that has no search box in its header. */
export interface ListSearch {
  ref: RefObject<HTMLInputElement | null>
  /** Open without text; with text it is always shown. */
  isOpen: boolean
  submit: (text: string) => void
  close: () => void
  /** Moves the focus to the results. */
  leave: () => void
}

export interface FilterChipProps {
  chip: Chip
  /** That of the chip if absent. */
  label?: string
  /** The id of the command that takes it away. */
  command: string
  /** A row on screen, which holds what the records of the chips are called. */
  row: object | undefined
  remove: () => void
}

export interface SearchChipProps {
  noun: Pick<Noun, 'path' | 'plural'>
  search: ListSearch
  /** The text that the list is searched for. */
  value: string
  end: () => void
}

export interface EmptyReasonProps {
  noun: Pick<Noun, 'plural' | 'calls' | 'search' | 'filters' | 'date'>
  /** Called after the filters are taken away with the button, which is gone then. */
  leave: () => void
}

export interface PeekProps<T extends object> {
  noun: Noun<T>
  /** What the panel shows of a record: every column of its list but the buttons. */
  columns: readonly Column<Row<T>>[]
  /** The rows of the page; null until they have come. */
  rows: readonly Row<T>[] | null
}

export interface RowMenuProps {
  noun: Noun
  /** The title of the list. */
  label: string
  /** All columns of the list. */
  all: readonly ListColumn[]
  /** Those on screen, in their order. */
  columns: readonly ListColumn[]
  /** Focuses the row again. */
  leave: () => void
}

/** What the commands for columns know of a column. */
type ListColumn = Pick<Column<never>, 'id' | 'header' | 'control' | 'copy'>

interface LateParts {
  /** The edge of a header, which can be dragged. */
  ColumnEdge: ComponentType<{ id: string }>
  ColumnChoices: ComponentType<ColumnsMenuProps & { trigger: Trigger }>
  EmptyReason: ComponentType<EmptyReasonProps>
  FilterChoices: ComponentType<FilterMenuProps & { trigger: Trigger }>
  /** A chip with the name of its record. */
  NamedChip: ComponentType<FilterChipProps>
  SearchChip: ComponentType<SearchChipProps>
  /** What a right click on a row opens; double clicks open the row. */
  RowMenu: ComponentType<RowMenuProps>
  SelectionBar: ComponentType<SelectionBarProps>
  /** The name of the saved view that the list shows, and buttons that save it. */
  ViewTools: ComponentType
  ViewsMenu: ComponentType<{ noun: Noun }>
  /** The panel of the focused row. */
  Peek: <T extends object>(props: PeekProps<T>) => ReactNode
}

/** Parts of a list that the first rows do not need; null until their code has come, in the file of the dialogs. */
export const latePartsAtom = atom<LateParts | null>(null)
