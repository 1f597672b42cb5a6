import { getDefaultStore } from 'jotai'
import { afterEach, expect, it } from 'vitest'
import { capabilitiesAtom } from '../../src/api/config.ts'
import { clearFilters } from '../../src/commands/filters.ts'
import { listedAtom } from '../../src/commands/list.ts'
import { allNouns } from '../../src/commands/noun.ts'
import { firstPage } from '../../src/state/list.ts'
import { navigate } from '../../src/state/location.ts'
import '../../src/views/app.tsx'

const store = getDefaultStore()
const offered = store.get(capabilitiesAtom)
afterEach(() => {
  store.set(listedAtom, null)
  store.set(capabilitiesAtom, offered)
  navigate('/')
})

it('the command that clears filters is offered as soon as the address has one, and no longer than that', () => {
  const noun = allNouns().find(({ name }) => name === 'driver')
  if (!noun) throw new Error('There are no drivers.')
  store.set(capabilitiesAtom, {
    ...offered,
    filters: { [noun.calls.collection]: ['suspended'] },
  })
  store.set(listedAtom, { noun, query: firstPage, totalPages: 1, count: 1, hasRows: true })
  const isOffered = (address: string) => {
    navigate(address)
    return clearFilters.when?.({ path: '/riders', targets: [] })
  }
  expect(
    ['/riders', '/riders?filter=suspended', '/riders', '/riders?filter=suspended'].map(isOffered),
  ).toEqual([false, true, false, true])
})
