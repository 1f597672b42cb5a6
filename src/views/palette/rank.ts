import uFuzzy from '@leeoniya/ufuzzy'

interface Ranked {
  id: string
  title: string
  keywords?: string
}

const fuzzy = new uFuzzy()

/**
 * Items whose title or keywords contain every word of the query, best first: first the items with words that begin
 * with the query's words (so that "go" does not find Logout first), then titles before keywords, then texts that begin
 * with the query. Equal matches keep their order.
 */
export function rank<T extends Ranked>(items: readonly T[], query: string): T[] {
  const needle = uFuzzy.latinize(query.trim().toLowerCase())
  if (!needle) return [...items]
  const inTitle = matches(items, needle, (item) => item.title)
  const rest = items.filter((item) => !inTitle.includes(item))
  const found = [...inTitle, ...matches(rest, needle, (item) => `${item.title} ${item.keywords ?? ''}`)]
  const words = needle.split(/\s+/)
  const startsWords = ({ title, keywords = '' }: T) => {
    const starts = uFuzzy.latinize(` ${title} ${keywords}`.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ')
    return words.every((word) => starts.includes(` ${word}`))
  }
  return [...found.filter(startsWords), ...found.filter((item) => !startsWords(item))]
}

function matches<T>(items: readonly T[], needle: string, textOf: (item: T) => string): T[] {
  const haystack = items.map((item) => uFuzzy.latinize(textOf(item).toLowerCase()))
  const [indexes, info, order] = fuzzy.search(haystack, needle, 1)
  const found = info ? order.flatMap((at) => info.idx[at] ?? []) : (indexes ?? [])
  // Texts that begin with the query come first, however uFuzzy orders the matches.
  const begins = (index: number) => Number(haystack[index]?.startsWith(needle) ?? false)
  return found.toSorted((a, b) => begins(b) - begins(a)).flatMap((index) => items[index] ?? [])
}
