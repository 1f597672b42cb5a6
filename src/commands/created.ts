import { atom, getDefaultStore } from 'jotai'
import type { Row } from '../api/loose.ts'
import { refKey } from '../state/ref.ts'
import { wantRow } from '../state/wanted-row.ts'
import { refOf } from './command.ts'
import type { Noun } from './noun.ts'

/** A record that was created here. */
interface Created {
  noun: Noun
  row: Row<object>
  /** Its `refKey`. */
  key: string
}

const store = getDefaultStore()

/** The record that was created last in this session. */
export const createdAtom = atom<Created | null>(null)

/** Its row gets the focus when the list has loaded it; else the status line names it (use-created.ts). */
export function noteCreated(noun: Noun, row: Row<object>): void {
  const key = refKey(refOf(noun, row))
  store.set(createdAtom, { noun, row, key })
  wantRow(key)
}
