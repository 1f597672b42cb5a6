import { getDefaultStore } from 'jotai'
import { dialogAtom } from '../state/dialog.ts'
import { refKey } from '../state/ref.ts'
import type { Command, Context } from './command.ts'
import { contextAtom } from './context.ts'
import { busyAtom } from './run.ts'
import { noteRun } from './runs.ts'

const store = getDefaultStore()

/**
 * Runs a command for its key, its button or its palette item. A command that asks a question runs only after the
 * answer, except by the mouse: the button of a row acts at once (S2.k.5), that of a selection does not. While its records are
 * busy, nothing is asked (R8).
 */
export function runCommand(command: Command, context: Context, by: 'key' | 'mouse' | 'palette'): void {
  noteRun(command)
  const { targets } = context
  const question = by === 'mouse' && targets.length < 2 ? undefined : command.asks?.(context)
  if (!question) {
    void command.run(context)
    return
  }
  const busy = store.get(busyAtom)
  if (targets.length > 0 && targets.every(({ ref }) => busy.has(refKey(ref)))) return
  store.set(dialogAtom, { kind: 'confirm', question, confirm: () => void command.run(context) })
}

/** Runs a command for its button, on the records of the screen. */
export function runHere(command: Command): void {
  runCommand(command, store.get(contextAtom), 'mouse')
}
