import { atom, getDefaultStore } from 'jotai'
import { focusFirstOf } from './focus.ts'

/** What is asked before an action that cannot be undone. */
export interface Question {
  /** "Clear 12 invoices, Ksh 34,560?" */
  text: string
  /** The keys that answer it: "Enter clears, Escape cancels". */
  hint: string
  /** The button that confirms: "Clear". */
  yes: string
}

/** The open dialog. A form edits its record, or creates one if `record` is null. */
export type Dialog =
  | { kind: 'palette'; actionsOnly?: boolean; typed?: string }
  | { kind: 'help' }
  | { kind: 'activity' }
  | { kind: 'filters' }
  | { kind: 'sessions' }
  | { kind: 'password' }
  | { kind: 'form'; noun: string; record: unknown }
  | { kind: 'picture'; title: string; source: string }
  | { kind: 'confirm'; question: Question; confirm: () => void }

const openAtom = atom<Dialog | null>(null)
let opener: Element | null = null

/** Opens and closes dialogs. The element that had the focus before the first one gets it back after the last one. */
export const dialogAtom = atom(
  (get) => get(openAtom),
  (get, set, dialog: Dialog | null) => {
    const active = document.activeElement
    if (dialog && !get(openAtom) && !isInDialog(active)) opener = buttonOf(active) ?? active
    watchFocus(dialog === null)
    set(openAtom, dialog)
  },
)

/** Whether it is in a dialog of `dialogAtom`. The panel of a row, which is a dialog in small windows, is behind those. */
export const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog]:not([data-panel=true])') !== null

/** The button of the menu to which an item belongs: the item is about to go. */
function buttonOf(item: Element | null): Element | null {
  const button = item?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return document.getElementById(button ?? '')
}

/** Whether a dialog is open, and the element that gets the focus back after it has left the document. */
export const isOpenerGone = (): boolean =>
  getDefaultStore().get(openAtom) !== null && opener?.isConnected === false

export const closeDialog = (): void => getDefaultStore().set(dialogAtom, null)

/**
 * While a dialog closes, it still takes the focus from the screen behind it. An element there that was to get it
 * meanwhile, such as the search box by a command of the palette, gets it instead of the opener.
 */
function watchFocus(isClosing: boolean): void {
  const change = isClosing ? 'addEventListener' : 'removeEventListener'
  document[change]('focusin', noteTarget)
  // Browsers let the dialog take the focus back before the other element has received it.
  document[change]('focusout', noteNext)
}

function noteTarget({ target }: Event): void {
  if (target instanceof Element && !isInDialog(target)) opener = target
}

function noteNext(event: Event): void {
  const next = event instanceof FocusEvent ? event.relatedTarget : null
  if (next instanceof Element && !isInDialog(next)) opener = next
}

/**
 * For `onCloseAutoFocus`: focuses the element that had the focus before or, if that is gone, the main region. After a
 * dialog that was opened by a key, Radix would leave the focus on the body.
 */
export function returnFocus(event: Event): void {
  event.preventDefault()
  // Another dialog is open by now: taking the focus from it would lose the first letters typed there.
  if (getDefaultStore().get(openAtom)) return
  watchFocus(false)
  focusFirstOf(opener, document.querySelector('main'))
}
