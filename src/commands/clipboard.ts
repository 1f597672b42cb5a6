import { getDefaultStore } from 'jotai'
import { activityAtom } from '../state/activity.ts'

/** Puts text on the clipboard; what came of it is in the activity (R6). */
export async function copyText(what: string, text: string): Promise<void> {
  const note = (outcome: 'done' | 'failed', detail: string) =>
    getDefaultStore().set(activityAtom, { what, outcome, detail })
  try {
    // Absent where the page did not come over a safe connection.
    await navigator.clipboard.writeText(text)
    note('done', '')
  } catch (error) {
    note('failed', error instanceof Error ? error.message : String(error))
  }
}
