const alphabet = Array.from('abcdefghijklmnopqrstuvwxyz')

/** The words that one typing error turns into this one; only words of 4 to 20 letters have any. */
export function typosOf(word: string): string[] {
  if (!/^\p{L}{4,20}$/u.test(word)) return []
  const letters = [...word]
  const any = new Set([...alphabet, ...letters])
  const changed = (at: number, removed: number, ...added: string[]) =>
    letters.toSpliced(at, removed, ...added).join('')
  const typos = new Set<string>()
  for (const at of letters.keys()) {
    typos.add(changed(at, 1))
    typos.add(changed(at, 2, letters[at + 1] ?? '', letters[at] ?? ''))
    for (const letter of any) typos.add(changed(at, 0, letter)).add(changed(at, 1, letter))
  }
  for (const letter of any) typos.add(word + letter)
  typos.delete(word)
  return [...typos]
}
