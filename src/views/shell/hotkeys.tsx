import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { useHotkeys } from 'react-hotkeys-hook'
import { openPalette, toggleSidebar } from '../../commands/app.ts'
import type { Command, Context } from '../../commands/command.ts'
import { isKeyed, isRunnable } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import type { Binding } from '../../commands/keymap.ts'
import { bindingsOf } from '../../commands/keymap.ts'
import { chordPause, isModifier, keyOf, mayFire, press } from '../../commands/keys.ts'
import { runCommand } from '../../commands/run-command.ts'
import { say } from '../../commands/status.ts'
import { whyNone } from '../../commands/why.ts'
import { closeDialog, dialogAtom, isInDialog } from '../../state/dialog.ts'
import { refKey } from '../../state/ref.ts'
import { sessionAtom } from '../../state/session.ts'
import { settingsAtom } from '../../state/settings.ts'
import { isComposing } from '../ui/is-composing.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import styles from './hotkeys.module.css'

const store = getDefaultStore()

/** The keys pressed so far of an unfinished sequence; empty without one. */
export const pendingKeysAtom = atom('')

const overDialogs: readonly Command[] = [openPalette, toggleSidebar]

const everywhere = { useKey: true, enableOnFormTags: true, enableOnContentEditable: true } as const

/** The only key listener: handles the keys of all commands that are offered in the current context. */
export function Hotkeys({ commands }: { commands: readonly Command[] }) {
  const pending = useAtomValue(pendingKeysAtom)
  useHotkeys('*', (event) => onKey(event, commands), everywhere)
  // Before all other listeners, which are those of what has the focus.
  useHotkeys('*', beforeOthers, { ...everywhere, eventListenerOptions: { capture: true } })
  return (
    <div className={styles.pending} data-shown={pending !== ''}>
      <div role="status" data-shown={pending !== ''}>
        {pending && (
          <>
            <KeyHint keys={pending} /> …
          </>
        )}
      </div>
      {pending && <Following pending={pending} commands={commands} />}
    </div>
  )
}

/** What the next key of a sequence can be. */
function Following({ pending, commands }: { pending: string; commands: readonly Command[] }) {
  const context = useAtomValue(contextAtom)
  const following = bindingsOf(commands).filter(
    ({ keys, command }) => keys.startsWith(`${pending} `) && isRunnable(command, context),
  )
  return (
    <dl aria-label="Keys that can follow">
      {following.map(({ keys, command }) => (
        <div key={keys}>
          <dt>
            <KeyHint keys={keys.slice(pending.length + 1)} />
          </dt>
          <dd>{command.about}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The records that the last key was for: a sequence that began on one row must not delete another one. */
let begunOn = ''

function onKey(event: KeyboardEvent, commands: readonly Command[]): void {
  const key = keyOf(event)
  if (!key || event.defaultPrevented || !store.get(sessionAtom)) return
  if (!mayFire(key, event.target, store.get(settingsAtom).singleKeys)) return
  const context = store.get(contextAtom)
  const isDialogOpen = store.get(dialogAtom) !== null
  const bindings = bindingsOf(commands)
  const offered = bindings.filter(({ keys, command }) =>
    isDialogOpen ? overDialogs.includes(command) && keys.startsWith('mod+') : isKeyed(command, context),
  )
  const on = context.targets.map(({ ref }) => refKey(ref)).join()
  const before = store.get(pendingKeysAtom)
  const continued = press(before, key, offered)
  const isForOthers = continued.command?.command.noun !== undefined && on !== begunOn
  const { pending, command: found, taken } = isForOthers ? press('', key, offered) : continued
  begunOn = on
  wait(pending)
  if (taken) event.preventDefault()
  if (found) {
    held = { code: event.code, command: found.command }
    runCommand(found.command, context, 'key')
  }
  if (isDialogOpen || found || pending) explained = null
  else explain(before ? `${before} ${key}` : key, bindings, context)
}

/** The key that ran the last command, by its position, until another key is pressed. */
let held: { code: string; command: Command } | undefined

/** Keys of an input method (IME) are for nothing else: their Escape would close a dialog. The browser's own action is the input method's. */
function beforeOthers(event: KeyboardEvent): void {
  if (event.repeat && event.code === held?.code) {
    // The command may have given the focus to a text field, where the repeats of its key would be typed.
    keep(event)
    const context = store.get(contextAtom)
    const { command } = held
    if (command.repeats && !store.get(dialogAtom) && isKeyed(command, context))
      runCommand(command, context, 'key')
    return
  }
  if (!event.repeat) held = undefined
  if (isComposing(event)) event.stopImmediatePropagation()
  else if (event.key === 'Escape' && store.get(pendingKeysAtom)) {
    // It would also clear a selection or close the sidebar.
    keep(event)
    wait('')
  } else typeAhead(event)
}

/** Keeps a key from the browser and from all other listeners. */
function keep(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Keeps what is typed for a palette that does not have the focus yet. Other keys would press what has it still, such as a button. */
function typeAhead(event: KeyboardEvent): void {
  const dialog = store.get(dialogAtom)
  const { key, ctrlKey, metaKey, altKey } = event
  if (dialog?.kind !== 'palette' || isInDialog(event.target)) return
  if (ctrlKey || metaKey || altKey || isModifier(event)) return
  keep(event)
  const { typed = '' } = dialog
  if (key === 'Escape') closeDialog()
  else if (key === 'Backspace') store.set(dialogAtom, { ...dialog, typed: typed.slice(0, -1) })
  else if (key.length === 1) store.set(dialogAtom, { ...dialog, typed: typed + key })
}

/** The last explained keys and where. The same keys are explained again only after something else has happened. */
let explained: { keys: string; context: Context } | null = null

/** Says why keys do nothing here, if commands have them that are not offered now. */
function explain(pressed: string, bindings: readonly Binding[], context: Context): void {
  const commands = bindings
    .filter(({ keys }) => keys === pressed || keys.startsWith(`${pressed} `))
    .map(({ command }) => command)
  const isRepeated = explained?.keys === pressed && explained.context === context
  explained = { keys: pressed, context }
  if (commands.length > 0 && !isRepeated) say(whyNone(commands, context))
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Restarts the timeout with every key of a sequence, also with one that starts the sequence again. */
function wait(pending: string): void {
  clearTimeout(timer)
  store.set(pendingKeysAtom, pending)
  if (pending) timer = setTimeout(() => store.set(pendingKeysAtom, ''), chordPause)
}
