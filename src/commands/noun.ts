import type { Calls } from '../api/client.ts'
import type { ListQuery } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import type { Command } from './command.ts'
import type { Form } from './form.ts'

/** One kind of record without its screen, for palette, lists, details, pickers, help and drafts. */
export interface Noun<T extends object = object> {
  /** The one word for it in the code: `promo`. Command ids and refs begin with it. */
  name: string
  /** The words on screen for one and for many: "promo code", "promo codes". */
  singular: string
  plural: string
  /** The address of the screen that lists its records. */
  path: string
  calls: Calls
  /** The name of a record in titles: "Jo Kamau". */
  nameOf(row: Row<T>): string
  /** A detail that distinguishes records with the same name. */
  describe?(row: Row<T>): string
  /** The address that its link opens; blank if it has no link. */
  href?(row: Row<T>): string
  /** The search box of its list: the parameter that it sets. */
  search?: { parameter: 's' | 'name'; placeholder: string }
  /** Turns typed search text into a query of its list; if absent, the text is sent as `s`. */
  find?(typed: string): Partial<ListQuery>
  /** Labels of the terms of its list's filter, where the words of a term's name do not do. */
  filters?: readonly { term: string; label: string }[]
  form?: Form<Row<T>>
  commands: readonly Command[]
}

const declared = new Map<string, Noun>()

/** Declares a noun. Once for each, as its module loads; its screens load it. */
export function defineNoun<N extends Noun>(noun: N): N {
  declared.set(noun.name, noun)
  return noun
}

/** Every kind of record that the console knows. */
export const allNouns = (): Noun[] => [...declared.values()]

/** Throws where no noun has this name. */
export function nounOf(name: string): Noun {
  const noun = declared.get(name)
  if (!noun) throw new Error(`There is no noun ${name}.`)
  return noun
}
