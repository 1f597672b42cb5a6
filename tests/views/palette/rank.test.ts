import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rank } from '../../../src/views/palette/rank.ts'

const items = [
  { id: 'driver.suspend', title: 'Suspend Jo Kamau', keywords: 'block freeze ban' },
  { id: 'driver.unsuspend', title: 'Unsuspend the driver', keywords: 'unfreeze restore' },
  { id: 'go.riders', title: 'Drivers', keywords: 'go to open screen' },
  { id: 'go.dashboard', title: 'Dashboard', keywords: 'go to open screen' },
  { id: 'go.customers', title: 'Customers', keywords: 'go to open screen' },
  { id: 'theme.dark', title: 'Dark theme', keywords: 'colour appearance mode' },
  { id: 'go.sos', title: 'SOS logs', keywords: 'go to open screen' },
]
const ids = (query: string) => rank(items, query).map(({ id }) => id)

describe('ranking', () => {
  it('keeps the given order without a query', () => {
    expect(rank(items, '')).toEqual(items)
    expect(rank(items, '  ')).toEqual(items)
  })

  it.each([
    ['sus', 'driver.suspend'],
    ['suspend', 'driver.suspend'],
    ['dri', 'go.riders'],
    ['DARK', 'theme.dark'],
    ['kamau', 'driver.suspend'],
    ['unsus', 'driver.unsuspend'],
    ['freeze', 'driver.suspend'],
    ['sos', 'go.sos'],
    ['theme dark', 'theme.dark'],
  ])('%j finds %s first', (query, first) => {
    expect(ids(query)[0]).toBe(first)
  })

  it('puts matches at the start of a word before matches inside a word, in titles and keywords', () => {
    const logout = { id: 'session.logOut', title: 'Logout', keywords: 'sign out' }
    const drivers = { id: 'go.riders', title: 'Drivers', keywords: 'go to open screen' }
    expect(rank([logout, drivers], 'go')).toEqual([drivers, logout])
    expect(rank([logout, drivers], 'log')).toEqual([logout])
    const clear = { id: 'invoice.clear', title: 'Clear invoice 7' }
    const learn = { id: 'help', title: 'Help', keywords: 'learn the keys' }
    expect(rank([clear, learn], 'lear')).toEqual([learn, clear])
  })

  it('puts a match in the title before one in the keywords', () => {
    const byTitle = { id: 'b', title: 'Open the driver' }
    const byKeyword = { id: 'a', title: 'Drivers', keywords: 'go to open screen' }
    expect(rank([byKeyword, byTitle], 'open')).toEqual([byTitle, byKeyword])
  })

  it('finds only items with every word of the query', () => {
    expect(ids('suspend kamau')).toEqual(['driver.suspend'])
    expect(ids('suspend wanjiru')).toEqual([])
  })

  it('ignores accents in items and in queries', () => {
    const accented = [{ id: 'a', title: 'Café Société' }]
    expect(rank(accented, 'cafe soc')).toHaveLength(1)
    expect(rank([{ id: 'a', title: 'Cafe' }], 'café')).toHaveLength(1)
  })

  it('does not match scattered letters', () => {
    expect(ids('drs')).toEqual([])
    expect(rank([{ id: 'a', title: '254 711 999 000' }], '254710')).toEqual([])
  })

  const word = fc.stringMatching(/^[a-z]{2,8}$/)
  const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))

  it('puts every item that starts with the query before all others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(title, { maxLength: 12 }), word, word, (titles, query, rest) => {
        const given = [...titles, `${query}${rest}`].map((one, at) => ({
          id: String(at),
          title: one,
          keywords: query,
        }))
        const starts = rank(given, query).map((item) => item.title.startsWith(query))
        expect(starts).toContain(true)
        expect(starts.lastIndexOf(true)).toBe(starts.filter(Boolean).length - 1)
      }),
    )
  })

  it('keeps the given order of equal matches', () => {
    fc.assert(
      fc.property(title, word, fc.integer({ min: 2, max: 8 }), (one, query, copies) => {
        const given = Array.from({ length: copies }, (_, at) => ({
          id: String(at),
          title: one,
          keywords: query,
        }))
        expect(rank(given, query)).toEqual(given)
        expect(rank(given, one)).toEqual(given)
      }),
    )
  })

  it('returns only given items, each at most once, for any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (query) => {
        const found = ids(query)
        expect(new Set(found).size).toBe(found.length)
        expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(found))
      }),
    )
  })
})
