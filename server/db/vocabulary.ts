import { nouns } from '../nouns.ts'

/** The tables with a list of their different words; `indexed` where the search over everything has an index of them too. */
export const vocabularies = () =>
  nouns
    .filter(({ vocabulary }) => vocabulary)
    .map(({ table, found }) => ({ table, indexed: found.text !== undefined }))

/** Whether the table has a list of its words. */
export const hasVocabulary = (table: string) => vocabularies().some((one) => one.table === table)

/** Whether the table has an index of parts, which finds parts of three characters or more without the list of words. */
export const hasIndexOfParts = (table: string) =>
  nouns.some((noun) => noun.table === table && noun.searched.includes('search'))

/** How many characters the shortest part has. */
export const shortest = (parts: readonly string[]) => Math.min(...parts.map((part) => [...part].length))
