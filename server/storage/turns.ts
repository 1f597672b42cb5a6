const last = new Map<string, Promise<unknown>>()

/** A lock per key: tasks with the same key run one after another, in the order of their calls. */
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
