import { fold } from './fold.ts'

/** Characters that the comparison of words leaves out: `obrien` finds O'Brien. */
export const leftOut = ["'", '’', 'ʼ']
/** Characters that it reads as spaces: `al maawy` finds Al-Maawy. */
export const readAsSpace = ['-', '.', '@', '‐', '–']

/** The different words of a text, folded, in their order. Text without a letter, digit or other symbol has none. */
export function wordsOf(text: string): string[] {
  const spaced = [...fold(text)].map((character) => (readAsSpace.includes(character) ? ' ' : character))
  const words = spaced
    .filter((character) => !leftOut.includes(character))
    .join('')
    .split(/\s+/)
  return [...new Set(words.filter(Boolean))]
}
