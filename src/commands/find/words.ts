/** How well a typed word fits a word: equal, at its start, with one typing error, in its middle, or not at all. */
export type Fit = 'equal' | 'start' | 'typo' | 'middle' | null

/** Lower case without accents and apostrophes; dashes and dots become spaces. */
export function fold(text: string): string {
  // Most texts are plain, and patterns for all letters of the world take several times as long.
  const isPlain = !/[^\x20-\x7e]/.test(text)
  const letters = isPlain ? text.replace(/['`]/g, '') : text.normalize('NFKD').replace(/\p{M}|['’‘ʼ`]/gu, '')
  const others = isPlain ? /[^a-z0-9#+@]+/g : /[^\p{L}\p{N}#+@]+/gu
  return letters.toLowerCase().replace(others, ' ').trim()
}

export const wordsOf = (text: string): string[] => fold(text).split(' ').filter(Boolean)

/** How a typed word fits a word; both are folded. A typing error counts from four letters on. */
export function fitOf(typed: string, word: string): Fit {
  if (word.startsWith(typed)) return typed.length === word.length ? 'equal' : 'start'
  if (isTypo(typed, word)) return 'typo'
  return typed.length > 1 && word.includes(typed) ? 'middle' : null
}

const ranks = { equal: 0, start: 1, typo: 2, middle: 3 }
const rankOf = (fit: Fit) => (fit === null ? 4 : ranks[fit])

/** The worse of two fits. */
export const worse = (a: Fit, b: Fit): Fit => (rankOf(a) > rankOf(b) ? a : b)

/** How well the best of these words fits. */
function bestFit(typed: string, words: readonly string[]): Fit {
  let best: Fit = null
  for (const word of words) {
    const fit = fitOf(typed, word)
    if (rankOf(fit) < rankOf(best)) best = fit
    if (best === 'equal') break
  }
  return best
}

/** How well the worst of the typed words fits its best word. */
export function allFit(typed: readonly string[], words: readonly string[]): Fit {
  let worst: Fit = 'equal'
  for (const one of typed) {
    worst = worse(worst, bestFit(one, words))
    if (worst === null) break
  }
  return worst
}

/** Whether a typed word is long enough to be taken for another one. Numbers are taken as they are. */
export const canBeTypo = (typed: string): boolean => typed.length >= 4 && !/\d/.test(typed)

/** Whether a typed word that is not the beginning of a word becomes it, or its beginning, by one change: a letter more, less, other, or two swapped. */
function isTypo(typed: string, word: string): boolean {
  if (word.length < 3) return false
  // One change leaves one of the first two letters where it was, or one place beside; most words end here.
  const [a, b] = [typed[0], typed[1]]
  if (a !== word[0] && a !== word[1] && b !== word[0] && b !== word[1]) return false
  if (!canBeTypo(typed)) return false
  let at = 0
  while (typed[at] === word[at]) at++
  const rest = typed.slice(at + 1)
  return (
    word.startsWith(rest, at) ||
    word.startsWith(typed.slice(at), at + 1) ||
    word.startsWith(rest, at + 1) ||
    (typed[at] === word[at + 1] && typed[at + 1] === word[at] && word.startsWith(typed.slice(at + 2), at + 2))
  )
}
