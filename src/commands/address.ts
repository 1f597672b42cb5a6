import { getDefaultStore } from 'jotai'
import { capabilitiesAtom } from '../api/config.ts'
import type { Row } from '../api/loose.ts'
import { formatFilter, hrefOf, parseFilter, withParameters } from '../state/list.ts'
import { refOf } from './command.ts'
import type { Noun } from './noun.ts'

/** The address of a record's own screen, or of its list with it alone. */
export function addressOf(noun: Noun, row: Row<object>): string {
  const own = noun.calls.one === undefined ? '' : noun.href?.(row)
  return own || narrowed(noun, `id:${refOf(noun, row).id}`, noun.nameOf(row))
}

/** The address of a list with this filter, or with what the server offers of it and the text as search. */
export function narrowed(noun: Noun, filter: string, text: string): string {
  const terms = parseFilter(filter)
  const offered = terms.filter(({ name }) => offeredTerms(noun).includes(name))
  const isWhole = offered.length === terms.length
  return listAddress(noun, {
    filter: isWhole ? filter : formatFilter(offered),
    ...(!isWhole && { [noun.search?.parameter ?? 's']: text }),
  })
}

export const listAddress = ({ path }: Noun, parameters: Record<string, string>): string =>
  hrefOf(path, withParameters('', parameters))

/** The terms of a list's filter that the server offers. */
export const offeredTerms = ({ calls }: Noun): readonly string[] =>
  getDefaultStore().get(capabilitiesAtom).filters[calls.collection] ?? []
