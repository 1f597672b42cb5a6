import { getDefaultStore } from 'jotai'
import { navigate } from '../state/location.ts'
import { addressOf } from './address.ts'
import type { Command } from './command.ts'
import { createdAtom } from './created.ts'

const store = getDefaultStore()

export const openCreated: Command = {
  id: 'record.openCreated',
  about: 'Open the record created last',
  title: () => {
    const created = store.get(createdAtom)
    return created ? `Open ${created.noun.singular} ${created.noun.nameOf(created.row)}` : openCreated.about
  },
  keywords: 'new go to show',
  keys: 'g r',
  when: () => store.get(createdAtom) !== null,
  why: () => 'no record was created in this session',
  run: () => {
    const created = store.get(createdAtom)
    if (created) navigate(addressOf(created.noun, created.row))
  },
}
