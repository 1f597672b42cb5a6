import { expect, test } from 'vitest'
import type { Rendered } from '../../../src/views/table/brief-rows.ts'
import { nothingRendered, renderedNext } from '../../../src/views/table/brief-rows.ts'

/** Rows from `first` on: ten that are seen, and five after them. */
function next(last: Rendered, first: number, { time = 0, isScrolling = true, kept = [0] } = {}): Rendered {
  const near = Array.from({ length: 15 }, (_, at) => first + at)
  return renderedNext(last, {
    indexes: [...new Set([...kept, ...near])],
    range: { startIndex: first, endIndex: first + 9 },
    isScrolling,
    time,
    isKept: (index) => kept.includes(index),
  })
}

const resting = next(nothingRendered, 0, { isScrolling: false })
/** The second scroll leaves the rows of the first behind. */
const fast = next(next(resting, 100, { time: 10 }), 200, { time: 20 })

test('the first rows, and those of a single jump, have all cells', () => {
  expect(resting.brief.size).toBe(0)
  expect(next(resting, 500, { time: 10 }).brief.size).toBe(0)
})

test('rows that a scroll reaches before they are rendered have only their first two cells, but for those that are kept', () => {
  expect([...fast.brief]).toEqual(Array.from({ length: 15 }, (_, at) => 200 + at))
  expect(fast.indexes).toContain(0)
})

test('rows that were rendered in time keep all cells while the table is scrolled', () => {
  const slow = next(next(resting, 4, { time: 10 }), 8, { time: 20 })
  expect(slow.brief.size).toBe(0)
  const mixed = next(next(resting, 4, { time: 10 }), 14, { time: 20 })
  expect([...mixed.brief]).toEqual([19, 20, 21, 22, 23, 24, 25, 26, 27, 28])
})

test('a scroll that goes on fast leaves rows with their first two cells', () => {
  const later = next(fast, 230, { time: 200 })
  expect(later.brief.size).toBe(15)
  expect(next(later, 260, { time: 400 }).brief.size).toBe(15)
})

test('when the scroll has been slow for 100 ms, new rows have all cells, and three of those in sight get theirs each time', () => {
  const soon = next(fast, 204, { time: 60 })
  expect(soon.brief.size).toBe(15)
  const slow = next(soon, 208, { time: 140 })
  expect([...slow.brief]).toEqual([211, 212, 213, 214, 215, 216, 217, 218])
  const later = next(slow, 209, { time: 150 })
  expect([...later.brief]).toEqual([214, 215, 216, 217, 218])
  expect(next(later, 300, { time: 160 }).brief.size).toBe(15)
})

test('one of them that is to be kept from now on gets all cells', () => {
  expect(next(fast, 203, { time: 30, kept: [0, 205] }).brief.has(205)).toBe(false)
})

test('they get all cells when the scroll ends, although no row comes or goes', () => {
  const ended = next(fast, 200, { time: 30, isScrolling: false })
  expect(ended.brief.size).toBe(0)
  expect(ended.indexes).not.toBe(fast.indexes)
})

test('a single jump after such a scroll has all cells again', () => {
  const ended = next(fast, 200, { time: 30, isScrolling: false })
  expect(next(ended, 900, { time: 1_000 }).brief.size).toBe(0)
})

test('if no row changes, the list of rows is the same one', () => {
  expect(next(fast, 200, { time: 300 }).indexes).toBe(fast.indexes)
  expect(next(resting, 0, { time: 300 }).indexes).toBe(resting.indexes)
})
