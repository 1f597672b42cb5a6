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

const order: readonly Fit[] = ['equal', 'start', 'typo', 'middle', null]

/** The better of two fits. */
const better = (a: Fit, b: Fit): Fit => (order.indexOf(a) <= order.indexOf(b) ? a : b)
/** The worse of two fits. */
export const worse = (a: Fit, b: Fit): Fit => (order.indexOf(a) > order.indexOf(b) ? a : b)

/** How well the best of these words fits. */
function bestFit(typed: string, words: readonly string[]): Fit {
  let best: Fit = null
  for (const word of words) {
    best = better(best, fitOf(typed, word))
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

/** Whether a typed word becomes the word, or its beginning, by one change: a letter more, less, other, or two swapped. */
function isTypo(typed: string, word: string): boolean {
  if (word.length < 3 || !canBeTypo(typed)) return false
  // One change leaves one of the first two letters where it was, or one place beside; most words end here.
  const [a, b] = [typed[0], typed[1]]
  if (a !== word[0] && a !== word[1] && b !== word[0] && b !== word[1]) return false
  return [-1, 0, 1].some((more) => isOneChange(typed, word.slice(0, typed.length + more)))
}

function isOneChange(typed: string, word: string): boolean {
  if (Math.abs(typed.length - word.length) > 1) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at++
  if (at === typed.length && at === word.length) return false
  const [restTyped, restWord] = [typed.slice(at), word.slice(at)]
  if (typed.length > word.length) return restTyped.slice(1) === restWord
  if (typed.length < word.length) return restTyped === restWord.slice(1)
  return (
    restTyped.slice(1) === restWord.slice(1) ||
    (restTyped[0] === restWord[1] && restTyped[1] === restWord[0] && restTyped.slice(2) === restWord.slice(2))
  )
}
