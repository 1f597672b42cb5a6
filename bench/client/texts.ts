import type { List } from './lists.ts'
import { api, lists, textOf, valueOf } from './lists.ts'

/** For each list, texts that its first row shows, and that no row of the other lists has together. */
export async function readTexts(url: string, token: string): Promise<Map<string, string[]>> {
  const headers = { authorization: `Bearer ${token}` }
  const read = async (list: List) => {
    const page: unknown = await (await fetch(`${url}${api}${list.call}`, { headers })).json()
    const rows = valueOf(page, 'results')
    const shown = (row: unknown) => list.columns.map((column) => textOf(row, column)).join('\n')
    return { list, rows: Array.isArray(rows) ? rows.map(shown) : [], page }
  }
  const all = await Promise.all(lists.map(read))
  return new Map(
    all.map(({ list, page }) => {
      const texts = textsOf(list, valueOf(page, 'results.0'))
      const isIn = (row: string) => texts.every((text) => row.includes(text))
      if (all.some((other) => other.list !== list && other.rows.some(isIn)))
        throw new Error(`Other lists have ${texts.join(' and ')} too.`)
      return [list.name, texts]
    }),
  )
}

/** The id and up to two texts or phone numbers, because the pages format other values differently. A vehicle has the name of its driver. */
function textsOf({ columns }: List, row: unknown): string[] {
  const texts = columns
    .filter(({ kind }) => kind === 'text' || kind === 'phone')
    .map(({ key }) => valueOf(row, key))
    .filter((value) => typeof value === 'string' && value !== '')
  return [valueOf(row, 'id'), ...texts.slice(0, 2)].map(String)
}
