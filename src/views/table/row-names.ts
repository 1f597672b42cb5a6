/** Unique keys for the rows. A row with a repeated or missing id gets a key with its index. */
export function namesOf(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.map((id, at) => {
    const name = seen.has(id) ? `${id} ${at}` : id
    seen.add(name)
    return name
  })
}

export const clamp = (index: number, length: number) => Math.min(Math.max(index, 0), length - 1)
