import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRow, readPage } from '../../src/api/loose.ts'
import { wireDriver, wirePage } from '../support/wire.ts'

describe('a paginated answer (S3.17)', () => {
  it('is read as rows, page number, number of pages and, if it is sent, count', () => {
    const rows = [wireDriver({ id: 1 }), wireDriver({ id: 2 })]
    const answer = wirePage(rows, { current_page_number: 3, total_pages: 8, count: 375 })
    expect(readPage(answer, 3)).toEqual({ results: rows, page: 3, totalPages: 8, count: 375 })
  })

  it.each([null, undefined, [[]], 'text', 5, {}, { results: null }, { results: {} }, { results: 'abc' }])(
    'cannot be %j: reading it throws, so that it is not shown as an empty list (R1)',
    (answer) => {
      expect(() => readPage(answer, 1)).toThrow(TypeError)
    },
  )

  it('keeps only the rows that are objects', () => {
    const rows = [null, { id: 1 }, 'row', [2], 5, { id: null }, undefined]
    expect(readPage({ results: rows }, 1).results).toEqual([{ id: 1 }, { id: null }])
  })

  it.each([
    [{}, { page: 4, totalPages: 4, count: null }],
    [
      { current_page_number: '4', total_pages: '9', count: '1' },
      { page: 4, totalPages: 4, count: null },
    ],
    [
      { current_page_number: 2, total_pages: 9 },
      { page: 2, totalPages: 9, count: null },
    ],
    [
      { current_page_number: 1.5, total_pages: -1, count: NaN },
      { page: 4, totalPages: 4, count: null },
    ],
    [
      { current_page_number: 0, total_pages: 9 },
      { page: 4, totalPages: 9, count: null },
    ],
  ])('with rows and %j, after a call for page 4, is read as %j', (sent, read) => {
    expect(readPage({ results: [{ id: 1 }], ...sent }, 4)).toMatchObject(read)
  })

  it('without rows and page numbers is page 1 of 0', () => {
    expect(readPage({ results: [] }, 1)).toEqual({ results: [], page: 1, totalPages: 0, count: null })
  })

  it('beyond the end has the number of the last page, even if the server sends a higher one', () => {
    const beyond = { results: [], current_page_number: 9, total_pages: 3 }
    expect(readPage(beyond, 9).page).toBe(3)
    expect(readPage({ results: [], current_page_number: 9, total_pages: 0 }, 9).page).toBe(1)
  })

  it('has object rows and whole page numbers, whatever the server sends', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.anything()), fc.integer({ min: 1 }), (sent, results, asked) => {
        const page = readPage({ ...Object(sent), results }, asked)
        expect(page.results.every((row) => isRow(row))).toBe(true)
        expect(Number.isInteger(page.page) && page.page >= 1).toBe(true)
        expect(Number.isInteger(page.totalPages) && page.totalPages >= 0).toBe(true)
      }),
    )
  })
})
