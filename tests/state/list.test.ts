import fc from 'fast-check'
import { createStore } from 'jotai'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ListQuery } from '../../src/api/contract.ts'
import {
  formatFilter,
  hrefOf,
  listQueryAtom,
  pageSizes,
  parseFilter,
  parseListQuery,
  withParameters,
} from '../../src/state/list.ts'
import { locationAtom } from '../../src/state/location.ts'

const defaults: ListQuery = { page: 1, size: 50, s: '', phone: '', name: '', ordering: '', filter: '' }
const anyText = fc.string({ unit: 'binary' })
const anyState = fc.record({
  page: fc.integer({ min: 1, max: 999_999_999 }),
  size: fc.constantFrom(...pageSizes),
  s: anyText,
  phone: anyText,
  name: anyText,
  ordering: anyText,
  filter: anyText,
})
const anyChange = fc.oneof(
  anyState,
  fc.record({ page: fc.integer({ min: 1, max: 999 }) }),
  fc.record({ s: anyText }),
)

describe('the list state in the URL (S2.u.1)', () => {
  it('is read back as it was written, with any text', () => {
    fc.assert(
      fc.property(anyState, anyChange, (before, change) => {
        const search = withParameters(withParameters('', { ...before }), { ...change })
        expect(parseListQuery(search)).toEqual({ ...before, ...change })
      }),
    )
  })

  it('is unchanged after it was parsed as part of a URL', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const url = new URL(hrefOf('/riders', withParameters('', { ...state })), 'https://oms.test')
        expect(url.pathname).toBe('/riders')
        expect(url.hash).toBe('')
        expect(parseListQuery(url.search)).toEqual(state)
      }),
    )
  })

  it('contains no default values', () => {
    expect(withParameters('', { ...defaults })).toBe('')
    expect(withParameters('pageT=3', { pageT: 1 })).toBe('')
    expect(withParameters('page=3&size=100&s=jo&phone=07&name=x&ordering=id', { ...defaults })).toBe('')
    expect(hrefOf('/riders', '')).toBe('/riders')
  })

  it('is page 1 with 50 rows if the URL has no parameters (S9.4)', () => {
    expect(parseListQuery('')).toEqual(defaults)
  })

  it('leaves other parameters as they are', () => {
    fc.assert(
      fc.property(anyChange, fc.dictionary(fc.string({ minLength: 1 }), anyText), (change, others) => {
        fc.pre(Object.keys(others).every((name) => !(name in defaults) && name !== 'pageT'))
        const kept = new URLSearchParams(
          withParameters(new URLSearchParams(others).toString(), { ...change }),
        )
        for (const [name, value] of Object.entries(others)) expect(kept.get(name)).toBe(value)
      }),
    )
    expect(withParameters('tab=transactions&pageT=2&page=4', { page: 1 })).toBe('tab=transactions&pageT=2')
  })

  it.each(['0', '-1', '1.5', '1e3', '', ' 2', 'two', '+3', '٣', '12345678901', 'NaN', '1;2'])(
    'has page 1 for the invalid page %j (S9.4)',
    (page) => {
      expect(parseListQuery(new URLSearchParams({ page }).toString()).page).toBe(1)
    },
  )

  it.each(['0', '-50', '10', '51', '', 'all', '999999', 'Infinity'])(
    'has 50 rows for the size %j, which is not offered',
    (size) => {
      expect(parseListQuery(new URLSearchParams({ size }).toString()).size).toBe(50)
    },
  )

  it('has the first value of a repeated parameter', () => {
    expect(parseListQuery('page=2&page=9').page).toBe(2)
  })

  it('has a valid page and size for any query string', () => {
    fc.assert(
      fc.property(anyText, (search) => {
        const { page, size } = parseListQuery(search)
        expect(Number.isInteger(page) && page >= 1).toBe(true)
        expect(pageSizes).toContain(size)
      }),
    )
  })
})

describe('the terms of a filter', () => {
  const word = fc.stringMatching(/^[a-z][a-z_-]{0,12}$/).filter((name) => name !== 'from' && name !== 'to')
  const term = fc.oneof(
    fc.record({ name: word, id: fc.constant('') }),
    fc.record({
      name: word.map((name) => `${name}:`),
      id: fc.integer({ min: 1, max: 2 ** 31 }).map(String),
    }),
    fc.record({
      name: fc.constantFrom('from:', 'to:'),
      id: fc
        .date({ min: new Date('1970-01-02'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
    }),
  )
  const terms = fc.uniqueArray(term, { selector: ({ name, id }) => name + id })

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(terms, (given) => {
        expect(parseFilter(formatFilter(given))).toEqual(given)
      }),
    )
  })

  it('are the same after any text was read and written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.array(fc.oneof(word, anyText)).map((texts) => texts.join(',')),
        ),
        (filter) => {
          const once = formatFilter(parseFilter(filter))
          expect(formatFilter(parseFilter(once))).toBe(once)
        },
      ),
    )
  })

  it.each([
    ['overdue, driver:12,overdue', 'overdue,driver:12'],
    [',, ,', ''],
    ['from:2026,from:12,from:,from:2026-01-0,driver:2026-01-01,overdue2026-01-01', ''],
    ['from:0026-11-20,to:1970-01-01,to:1970-01-02', 'to:1970-01-02'],
    ['from:2026-02-29,from:2026-13-01,to:2028-02-29,to:2026-11-31', 'to:2028-02-29'],
    ['driver:,driver:0,driver:x,driver:12x,:5,Overdue,paid5', ''],
  ])('of %j are %j', (filter, expected) => {
    expect(formatFilter(parseFilter(filter))).toBe(expected)
  })
})

describe('listQueryAtom', () => {
  const store = createStore()
  const open = (to: string) => store.set(locationAtom, { to })
  beforeEach(() => open('/riders?s=jo&tab=x'))

  it('pushes a history entry for a change of page and keeps the other parameters', () => {
    const entries = window.history.length
    store.set(listQueryAtom, { page: 3 })
    expect(window.location.search).toBe('?s=jo&tab=x&page=3')
    expect(window.history.length).toBe(entries + 1)
    expect(store.get(listQueryAtom)).toEqual({ ...defaults, s: 'jo', page: 3 })
  })

  it('replaces the history entry with the option replace', () => {
    const entries = window.history.length
    store.set(listQueryAtom, { page: 2 }, { replace: true })
    expect(window.location.search).toBe('?s=jo&tab=x&page=2')
    expect(window.history.length).toBe(entries)
  })

  it('writes no query string if all values are defaults', () => {
    open('/riders?page=4')
    store.set(listQueryAtom, { page: 1 })
    expect(window.location.pathname + window.location.search).toBe('/riders')
  })
})
