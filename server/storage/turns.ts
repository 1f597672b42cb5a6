const last = new Map<string, Promise<unknown>>()

/** Runs what is asked for one key one after the other, in the order in which it was asked. */
export async function inTurn<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
  const before = last.get(key)
  const mine = (async () => {
    await before?.catch(() => undefined)
    return run()
  })()
  last.set(key, mine)
  try {
    return await mine
  } finally {
    if (last.get(key) === mine) last.delete(key)
  }
}
