import type { Row } from '../../api/loose.ts'
import { isRow } from '../../api/loose.ts'
import { navigate } from '../../state/location.ts'
import type { Command, Context } from '../command.ts'
import { refOf } from '../command.ts'
import { keysOf } from '../keymap.ts'
import type { Noun } from '../noun.ts'
import { partyName } from '../party.ts'
import type { Fit } from './words.ts'

/** A record in the palette, with its noun. */
export interface NounRow {
  noun: Noun
  row: Row<object>
}

/** One row of the palette, with what Enter or a click runs. */
export interface PaletteRow {
  /** The id of its command and the refs of its record, so that it is the same row in every answer. */
  id: string
  /** The noun that it is about, for its icon; absent for commands about none. */
  noun?: string
  section: 'command' | 'screen' | 'list' | 'record'
  title: string
  /** What distinguishes it from rows with the same title. */
  detail?: string
  keys?: string
  /** Why it cannot be run now. */
  reason?: string
  /** Tab shows the commands of this record. */
  record?: NounRow
  /** The address that it opens, if it opens one. */
  href?: string
  /** The command that it runs, if it runs one. */
  command?: { command: Command; context: Context }
  /** The text that it completes the query to, in place of running. */
  completes?: string
  /** Higher is better. */
  score: number
}

/** What distinguishes a record from others of the same name: where its noun does not say it, its people and its id. */
export function detailOf({ noun, row }: NounRow): string {
  if (noun.describe) return noun.describe(row)
  const people = isRow<{ driver: unknown; customer: unknown; user: unknown }>(row)
    ? [row.driver, row.customer, row.user].map(partyName)
    : []
  const numbered = `${noun.singular} ${refOf(noun, row).id}`
  const id = noun.nameOf(row) === numbered ? '' : capitalised(numbered)
  return [...people, id].filter(Boolean).join(' · ') || capitalised(noun.singular)
}

/** Opens what the row stands for, where it is no command. */
export function openRow({ href }: PaletteRow): void {
  if (href !== undefined) navigate(href)
}

/** The row of a command in a context, without a score. Its key is shown where it works. */
export function commandRow(command: Command, context: Context, hasKeys = true): PaletteRow {
  const enabled = command.enabled?.(context) ?? true
  const keys = keysOf(command)
  return {
    id: command.id,
    section: isScreen(command) ? 'screen' : command.href === undefined ? 'command' : 'list',
    title: command.title(context),
    ...(hasKeys && keys !== undefined && { keys }),
    ...(enabled !== true && { reason: enabled }),
    ...(command.noun !== undefined && { noun: command.noun }),
    ...(command.note?.(context) && { detail: command.note(context) }),
    ...(command.href !== undefined && { href: command.href }),
    command: { command, context },
    score: 0,
  }
}

/** Whether a command opens a screen of the side navigation. */
export const isScreen = ({ id }: Command): boolean => id.startsWith('go.')

/** The scores of rows, best first. Between two of them there is room for the order within. */
export const worth = {
  wholeLocal: 1000,
  newest: 960,
  exactFilter: 955,
  exactRecord: 950,
  verbAlone: 940,
  sentence: 935,
  exactOfNoun: 930,
  listOfPerson: 890,
  filter: 870,
  recordOfNoun: 860,
  localStart: 850,
  localKeyword: 800,
  record: 700,
  viewOption: 690,
  typedWrong: 620,
  searchOfList: 610,
  part: 450,
  localTypo: 420,
  recordTypo: 350,
  middle: 200,
}

/** What a meaning that was not typed in full costs. */
export function penalty(fit: Fit): number {
  return fit === 'equal' ? 0 : fit === 'start' ? 10 : 250
}

export const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
