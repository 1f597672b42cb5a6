import { atom, getDefaultStore } from 'jotai'
import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { text } from '../format.ts'
import { hrefOf, withParameters } from '../state/list.ts'
import { locationAtom, navigate } from '../state/location.ts'
import type { Command } from './command.ts'
import { listedAtom } from './list.ts'

const store = getDefaultStore()

/** The focused row of the list on screen; the list sets it. */
export const activeRowAtom = atom<Row<object> | null>(null)

/** The id of the record in the panel beside the list, from the address; blank while the panel is closed. */
export const peekAtom = atom((get) => new URLSearchParams(get(locationAtom).search).get('peek') ?? '')

/** The key of the history entry that opening has added last. */
let added = ''

/**
 * Names another record in the address, or none. Opening adds a history entry, so that Back closes the panel, unless this one was added
 * for a panel that was closed since: Back would have to be pressed for each.
 */
export function setPeek(id: string): void {
  const { path, search, key } = store.get(locationAtom)
  const replace = store.get(peekAtom) !== '' || key === added
  navigate(hrefOf(path, withParameters(search, { peek: id })), { replace })
  if (!replace) added = store.get(locationAtom).key
}

/** Shows a record in the panel. If the panel is open already, it shows the focused row, and gets the focus. */
export function peekAt(row: Row<object>): void {
  if (store.get(peekAtom) === '') setPeek(idOf(row))
  else document.getElementById('peek')?.focus()
}

const idOf = (row: Row<object> | null) => (isRow<{ id: unknown }>(row) ? text(row.id) : '')

/** Opens the panel for the focused row, or closes it. */
export const peek: Command = {
  id: 'list.peek',
  about: 'Show or close the panel of the focused row',
  title: () => (store.get(peekAtom) ? 'Close the panel' : 'Show the focused row in a panel'),
  keywords: 'peek details preview beside',
  keys: 'o',
  when: () =>
    store.get(listedAtom)?.hasRows === true && (store.get(peekAtom) || idOf(store.get(activeRowAtom))) !== '',
  why: () => (store.get(listedAtom)?.hasRows ? 'no row is focused' : 'no list is on screen'),
  run: () => setPeek(store.get(peekAtom) ? '' : idOf(store.get(activeRowAtom))),
}
