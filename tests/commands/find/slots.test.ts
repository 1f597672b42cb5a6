import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Slot } from '../../../src/commands/find/slots.ts'
import { settle } from '../../../src/commands/find/slots.ts'

interface Named {
  id: string
}
const rows = (text: string): Named[] => Array.from(text).map((id) => ({ id }))
const shown = (slots: readonly Slot<Named>[]) => slots.map((slot) => slot?.id ?? '_').join('')

describe('the places of the list', () => {
  it('keep room for the rows to come after those that match better than any of them', () => {
    expect(shown(settle([], rows('abc'), { room: 3, before: 1, isLate: false, most: 20 }))).toBe('a___')
  })

  it('give the room to the rows that come, best first, and the rest follows', () => {
    const painted = settle([], rows('abc'), { room: 3, before: 1, isLate: false, most: 20 })
    expect(shown(settle(painted, rows('axybc'), { room: 0, before: 3, isLate: false, most: 20 }))).toBe(
      'axybc',
    )
  })

  it('keep the room free of rows that match worse for as long as more are to come', () => {
    const painted = settle([], rows('abc'), { room: 3, before: 1, isLate: false, most: 20 })
    expect(shown(settle(painted, rows('abc'), { room: 3, before: 1, isLate: false, most: 20 }))).toBe('a___')
    expect(shown(settle(painted, rows('axbc'), { room: 3, before: 2, isLate: false, most: 20 }))).toBe('ax__')
  })

  it('show rows that match worse below the room if the search is slow, and keep them there', () => {
    const painted = settle([], rows('abc'), { room: 2, before: 1, isLate: false, most: 20 })
    const late = settle(painted, rows('abc'), { room: 2, before: 1, isLate: true, most: 20 })
    expect(shown(late)).toBe('a__bc')
    expect(shown(settle(late, rows('axyzbc'), { room: 0, before: 4, isLate: true, most: 20 }))).toBe('axybcz')
  })

  it('give up room that nothing came for', () => {
    const painted = settle([], rows('a'), { room: 5, before: 1, isLate: false, most: 20 })
    expect(shown(settle(painted, rows('a'), { room: 0, before: 1, isLate: false, most: 20 }))).toBe('a')
  })

  it('never move or drop a row that is painted, whatever is wanted later', () => {
    const some = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')), { maxLength: 26 })
    const step = fc.record({ wanted: some, room: fc.nat(6), before: fc.nat(26), isLate: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) => {
        let painted: readonly Slot<Named>[] = []
        for (const { wanted, room, before, isLate } of steps) {
          const next = settle(painted, rows(wanted.join('')), { room, before, isLate, most: 20 })
          painted.forEach((slot, at) => {
            if (slot) expect(next[at]?.id).toBe(slot.id)
          })
          const ids = next.flatMap((slot) => slot?.id ?? [])
          expect(new Set(ids).size).toBe(ids.length)
          expect(next.length).toBeLessThanOrEqual(20)
          painted = next
        }
      }),
    )
  })
})
