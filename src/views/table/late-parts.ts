import { atom } from 'jotai'
import type { ComponentType } from 'react'
import type { Command, Context } from '../../commands/command.ts'
import type { Noun } from '../../commands/noun.ts'
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

interface LateParts {
  ColumnChoices: ComponentType<ColumnsMenuProps & { trigger: Trigger }>
  FilterChoices: ComponentType<FilterMenuProps & { trigger: Trigger }>
  SelectionBar: ComponentType<SelectionBarProps>
  /** The name of the saved view that the list shows, and buttons that save it. */
  ViewTools: ComponentType
  ViewsMenu: ComponentType<{ noun: Noun }>
}

/** Parts of a list that the first rows do not need; null until their code has come, in the file of the dialogs. */
export const latePartsAtom = atom<LateParts | null>(null)
