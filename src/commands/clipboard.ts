import { getDefaultStore } from 'jotai'
import { activityAtom } from '../state/activity.ts'
import { say } from './status.ts'

/** Copies text to the clipboard and notes success or failure in the activity (R6). */
export async function copyText(what: string, text: string): Promise<void> {
  const note = (outcome: 'done' | 'failed', detail: string) =>
    getDefaultStore().set(activityAtom, { what, outcome, detail })
  try {
    // Throws on pages served over plain http, which have no navigator.clipboard.
    await navigator.clipboard.writeText(text)
    note('done', '')
    // S8 has no toast for this.
    say(`Done: ${what}`)
  } catch (error) {
    note('failed', error instanceof Error ? error.message : String(error))
  }
}
