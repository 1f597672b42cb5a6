import { useState } from 'react'

/** The last received answer. It stays on screen, dimmed, while a new load is running or has failed (R1). */
export function useLatest<T>(answer: T | undefined): T | undefined {
  const [latest, setLatest] = useState(answer)
  if (answer !== undefined && answer !== latest) setLatest(answer)
  return answer ?? latest
}
