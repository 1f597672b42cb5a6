/** Where the palette keeps what was run in it. The rest of it comes later, with the palette (decision 0020). */
export const usesKey = 'oms.used'

/** When the session ends. */
export function forgetUses(): void {
  try {
    localStorage.removeItem(usesKey)
  } catch {
    return // Blocked storage: nothing was stored.
  }
}
