import { expect, test } from 'vitest'
import { shuffled } from '../../../server/demo/random.ts'

test('a shuffled order contains every index once', () => {
  for (const size of [1, 2, 3, 1000, 4097]) {
    const order = shuffled(size, 7)
    const places = Array.from({ length: size }, (_, index) => order(index))
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, index) => index))
  }
})
