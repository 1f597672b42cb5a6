import { escapeLike } from '../db/engine.ts'

/**
 * Patterns of `like` for the words that one typing error turns into this one; only words of four letters or more have any.
 */
export function typosOf(word: string): string[] {
  const letters = [...word].map(escapeLike)
  if (!/^\p{L}{4,}$/u.test(word)) return []
  const changed = (at: number, removed: number, ...added: string[]) =>
    letters.toSpliced(at, removed, ...added).join('')
  const places = letters.map((_, at) => at)
  return [
    ...new Set([
      ...places.map((at) => changed(at, 1, '_')),
      ...places.map((at) => changed(at, 1)),
      ...[...places, letters.length].map((at) => changed(at, 0, '_')),
      ...places.slice(1).map((at) => changed(at - 1, 2, letters[at] ?? '', letters[at - 1] ?? '')),
    ]),
  ]
}
