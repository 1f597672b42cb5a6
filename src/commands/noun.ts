import type { Calls } from '../api/client.ts'
import type { ListQuery } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import type { Command } from './command.ts'
import type { Form } from './form.ts'

/** One term of a list's filter, as the server names it, and the words for it: "Overdue", "late". */
export interface Filter {
  term: string
  label: string
  words: readonly string[]
  /** Said after the noun: "trips today", where others are said before it: "ongoing trips". */
  isAfter?: true
  /** A second one that is said after the noun: "cancelled trips today". */
  and?: Filter
}

/** One kind of record without its screen, for palette, lists, details, pickers, help and drafts. */
export interface Noun<T extends object = object> {
  /** The one word for it in the code: `promo`. Command ids and refs begin with it. */
  name: string
  /** The words on screen for one and for many: "promo code", "promo codes". */
  singular: string
  plural: string
  /** Other words for it that people type, Swahili ones too: "rider", "madereva". */
  words?: readonly string[]
  isPerson?: true
  /** The address of the screen that lists its records. */
  path: string
  calls: Calls
  /** The name of a record in titles: "Jo Kamau". */
  nameOf(row: Row<T>): string
  /** A detail that distinguishes records with the same name. */
  describe?(row: Row<T>): string
  /** The address that its link opens; blank if it has no link. */
  href?(row: Row<T>): string
  /** The search box of its list: the parameter that it sets, and how our server is asked for typed text, if otherwise. */
  search?: {
    parameter: 's' | 'name'
    placeholder: string
    of?: (typed: string) => Partial<ListQuery>
  }
  /** Turns typed search text into a query of its list; if absent, the text is sent as `s`. */
  find?(typed: string): Partial<ListQuery>
  /** The terms of its list's filter, where the server offers them. */
  filters?: readonly Filter[]
  /** What the days of its list's filter mean: "Trip date". */
  date?: string
  /** The nouns of the people that its records belong to. Its list can be narrowed to one of them: `driver:12`. */
  owners?: readonly string[]
  form?: Form<Row<T>>
  commands: readonly Command[]
}

const declared = new Map<string, Noun>()

/** Declares a noun. Called once for each noun, when its module is loaded by its screens. */
export function defineNoun<N extends Noun>(noun: N): N {
  declared.set(noun.name, noun)
  return noun
}

/** Every kind of record that the console knows. */
export const allNouns = (): Noun[] => [...declared.values()]

/** Throws if no noun has this name. */
export function nounOf(name: string): Noun {
  const noun = declared.get(name)
  if (!noun) throw new Error(`There is no noun ${name}.`)
  return noun
}

/** The records that a filter keeps: "overdue invoices", "trips today". */
export function filtered({ label, isAfter, and }: Filter, { plural }: Pick<Noun, 'plural'>): string {
  if (isAfter) return `${plural} ${label.toLowerCase()}`
  const before = `${label.toLowerCase()} ${plural}`
  return and ? filtered(and, { plural: before }) : before
}
