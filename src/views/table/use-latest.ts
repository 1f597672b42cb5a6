import { useState } from 'react'

/** The latest answer there was: what came before stays on screen, dimmed, while a load is on its way or failed (R1). */
export function useLatest<T>(answer: T | undefined): T | undefined {
  const [latest, setLatest] = useState(answer)
  if (answer !== undefined && answer !== latest) setLatest(answer)
  return answer ?? latest
}
