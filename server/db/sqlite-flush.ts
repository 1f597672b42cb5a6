/** Says when changes are on the disk. */
export interface Flushes {
  /** To be called before each statement that may write, and before each commit. */
  written: () => void
  /** Resolves when everything that was committed before is on the disk. Fails if the disk does not take it. */
  flushed: () => Promise<void>
}

/**
 * Runs `flush` after changes, one at a time; all that is committed while it runs shares the next one. When a flush fails, `repair` is run,
 * and from then on in place of each flush, until it succeeds once.
 */
export function sharedFlushes(flush: () => Promise<void>, repair: () => void): Flushes {
  let isWritten = false
  let isBroken = false
  /** Whether the last flush has not begun, because it waits for the one before it. */
  let isWaiting = false
  let last = Promise.resolve()
  const begin = async () => {
    isWaiting = false
    isWritten = false
    isBroken ||= await flush().then(
      () => false,
      () => true,
    )
    if (!isBroken) return
    // Stays so if the repair fails, so that the next call tries again.
    isWritten = true
    repair()
    isWritten = false
    isBroken = false
  }
  return {
    written: () => {
      isWritten = true
    },
    flushed: () => {
      if (isWritten && !isWaiting) {
        isWaiting = true
        last = last.then(begin, begin)
      }
      return last
    },
  }
}
