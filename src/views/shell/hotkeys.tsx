import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { useHotkeys } from 'react-hotkeys-hook'
import { dialogAtom } from '../../state/dialog.ts'
import { sessionAtom } from '../../state/session.ts'
import { settingsAtom } from '../../state/settings.ts'
import type { Command } from '../../commands/command.ts'
import { isKeyed } from '../../commands/command.ts'
import { runCommand } from '../../commands/run-command.ts'
import { contextAtom } from '../../commands/context.ts'
import styles from './hotkeys.module.css'
import { KeyHint } from '../ui/key-hint.tsx'
import { chordPause, keyOf, mayFire, press } from '../../commands/keys.ts'

const store = getDefaultStore()

/** The keys pressed so far of an unfinished sequence; empty without one. */
export const pendingKeysAtom = atom('')

const overDialogs = new Set(['mod+k', 'mod+b'])

/** The only key listener: handles the keys of all commands that are offered in the current context. */
export function Hotkeys({ commands }: { commands: readonly Command[] }) {
  const pending = useAtomValue(pendingKeysAtom)
  useHotkeys('*', (event) => onKey(event, commands), {
    useKey: true,
    enableOnFormTags: true,
    enableOnContentEditable: true,
  })
  return (
    <div role="status" className={styles.pending} data-shown={pending !== ''}>
      {pending && (
        <>
          <KeyHint keys={pending} /> …
        </>
      )}
    </div>
  )
}

function onKey(event: KeyboardEvent, commands: readonly Command[]): void {
  const key = keyOf(event)
  if (!key || event.defaultPrevented || !store.get(sessionAtom)) return
  if (!mayFire(key, event.target, store.get(settingsAtom).singleKeys)) return
  const context = store.get(contextAtom)
  // While a dialog is open, only the keys in `overDialogs` work.
  const dialog = store.get(dialogAtom)
  const offered = commands.filter(
    (command) => isKeyed(command, context) && (!dialog || overDialogs.has(command.keys ?? '')),
  )
  const { pending, command, taken } = press(store.get(pendingKeysAtom), key, offered)
  wait(pending)
  if (taken) event.preventDefault()
  if (command) runCommand(command, context, 'key')
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Restarts the timeout with every key of a sequence, also with one that starts the sequence again. */
function wait(pending: string): void {
  clearTimeout(timer)
  store.set(pendingKeysAtom, pending)
  if (pending) timer = setTimeout(() => store.set(pendingKeysAtom, ''), chordPause)
}
