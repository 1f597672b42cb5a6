/** Says when changes are on the disk. */
export interface Flushes {
  /** To be called before each statement that may write, and before each commit. */
  written: () => void
  /** Resolves when everything that was committed before is on the disk. Fails if the disk does not take it. */
  flushed: () => Promise<void>
}

/**
 * Runs `flush` after changes, one at a time; what is committed while it runs shares the next one. `repair` is tried when it fails, and
 * instead of it until that succeeds.
 */
export function sharedFlushes(flush: () => Promise<void>, repair: () => void): Flushes {
  let isWritten = false
  let isBroken = false
  /** Whether the last one waits for the one before it. */
  let isWaiting = false
  let last = Promise.resolve()
  const begin = async () => {
    isWaiting = false
    isWritten = false
    try {
      if (!isBroken) await flush()
    } catch {
      isBroken = true
    }
    if (!isBroken) return
    try {
      repair()
      isBroken = false
    } catch (error) {
      isWritten = true
      throw error
    }
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
