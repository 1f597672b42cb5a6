import { describe, expect, it } from 'vitest'
import { readingsOf } from '../../../src/commands/find/sentence.ts'
import { trip } from '../../../src/commands/nouns/trip.ts'

const vocabulary = { commands: [], nouns: [trip] }
const filtersOf = (typed: string) =>
  readingsOf(typed, vocabulary).flatMap(({ filters }) => filters.map(({ filter }) => filter.term))

describe('the days of a sentence', () => {
  it.each([
    ['trips today', 'today'],
    ['todays trips', 'today'],
    ['safari za leo', 'today'],
    ['yesterday', 'yesterday'],
    ['trips this week', 'this-week'],
  ])('%s are %s', (typed, term) => {
    expect(filtersOf(typed)).toContain(term)
  })

  it.each(['tod otieno', 'leo kamau', 'jana wanjiru', 'trips leo kamau', 'yester'])(
    '%s is no day, as names begin like days, and Leo and Jana are names',
    (typed) => {
      expect(filtersOf(typed)).toEqual([])
    },
  )
})
