/**
 * Calls `work` when the browser has nothing else to do, with how many milliseconds that will last; after a second in any case, with 0.
 * Safari has no idle callbacks: there, after 50 ms, for 8. Returns a function that ends the wait.
 */
export function whenIdle(work: (time: number) => void): () => void {
  let isWanted = true
  const run = (deadline?: IdleDeadline) => {
    if (isWanted) work(deadline?.timeRemaining() ?? 8)
  }
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 1_000 })
  else setTimeout(run, 50)
  return () => {
    isWanted = false
  }
}
