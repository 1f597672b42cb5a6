import type { Calls } from '../api/client.ts'
import type { ListQuery } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import type { Command } from './command.ts'
import type { Form } from './form.ts'

/** Everything about one kind of record that is not its screen. Palette, lists, details, pickers, help and drafts read it. */
export interface Noun<T extends object = object> {
  /** The one word for it in the code: `promo`. Command ids and refs begin with it. */
  name: string
  /** What people call one and many: "promo code", "promo codes". */
  singular: string
  plural: string
  /** The address of the screen that lists its records. */
  path: string
  calls: Calls
  /** How a record is called in titles: "Jo Kamau". */
  nameOf(row: Row<T>): string
  /** What tells it from others of the same name. */
  describe?(row: Row<T>): string
  /** The address of what it opens; blank where it opens nothing. */
  href?(row: Row<T>): string
  /** The search box of its list: the parameter that it sets. */
  search?: { parameter: 's' | 'name'; placeholder: string }
  /** What a person types to find one, as a query of its list; `s` unless it says otherwise. */
  find?(typed: string): Partial<ListQuery>
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
