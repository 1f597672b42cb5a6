import { nouns } from '../nouns.ts'

/** The tables with a list of their different words; `indexed` where the search over everything has an index of them too. */
export const vocabularies = () =>
  nouns
    .filter(({ vocabulary }) => vocabulary)
    .map(({ table, found }) => ({ table, indexed: found.text !== undefined }))

/** The index of parts, if the table has one, finds three characters or more without the list of words. */
export function isListed(table: string, part: string): boolean {
  const noun = nouns.find((noun) => noun.table === table)
  return noun?.vocabulary === true && !(noun.searched.includes('search') && [...part].length >= 3)
}
