import type { List } from '../lists.ts'
import { api } from '../lists.ts'

declare global {
  interface Window {
    /** The answer that the script in index.html asks for; null when it has been used. */
    firstAnswer: Promise<unknown> | null
  }
}

interface Page {
  results: unknown[]
  total_pages: number
}

interface Asked {
  since: number
  answer: Promise<Page>
  page: Page | null
}

const asked = new Map<List, Asked>()
/** In milliseconds: how long an answer is not asked for again. */
const fresh = 10_000

/** Asks for the first page of a list, unless it has just been asked for. */
export function ask(list: List): Asked {
  const earlier = asked.get(list)
  if (earlier && performance.now() - earlier.since < fresh) return earlier
  const size = new URLSearchParams(location.search).get('size') ?? '50'
  const first = list.name === 'drivers' ? window.firstAnswer : null
  window.firstAnswer = null
  const json = first ?? fetch(`${api}${list.call}?page_size=${size}`).then((response) => response.json())
  const one: Asked = {
    since: performance.now(),
    answer: json.then((answer: unknown) => {
      if (!isPage(answer)) throw new TypeError('The answer is no page.')
      one.page = answer
      return answer
    }),
    page: null,
  }
  asked.set(list, one)
  return one
}

/** The rows of the latest answer, also while they are asked for again. */
export const known = (list: List): Page | null => asked.get(list)?.page ?? null

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results)
