import { nouns } from '../nouns.ts'

/** The texts whose words are indexed: as SQL over one row, by table; with initials for people. */
export const texts = (row: string) =>
  nouns.flatMap(({ table, found: { text, person = false } }) =>
    text === undefined ? [] : [{ table, person, text: inRow(text, row) }],
  )

/** Writes an expression of a declaration for a row that has this alias instead of `R`. */
export const inRow = (expression: string, row: string) => expression.replaceAll('R.', `${row}.`)
