import { expect, test } from 'vitest'
import { typosOf } from '../../../server/queries/typos.ts'

test.each([
  ['tumanka', 'tumnaka', 'two neighbours change places'],
  ['tumanka', 'tumank', 'the last letter is missing'],
  ['tumanka', 'umanka', 'the first letter is missing'],
  ['tumanka', 'tumannka', 'a letter is there twice'],
  ['tumanka', 'xtumanka', 'a letter is in front'],
  ['tumanka', 'tumankaz', 'a letter is behind'],
  ['tumanka', 'tuminka', 'a letter is another one'],
  ['ñandú', 'ñandñ', 'a letter is another one of the word'],
])('“%s” is “%s” with one typing error: %s', (word, typo) => {
  expect(typosOf(word)).toContain(typo)
})

test('a word is no typing error of itself, nor is one with two errors', () => {
  expect(typosOf('tumanka')).not.toContain('tumanka')
  expect(typosOf('tumanka')).not.toContain('tumnkaa')
})

test('short words, long ones and those with digits are not looked for with errors', () => {
  for (const word of ['ian', 'x'.repeat(21), '0712345678', 'kda342h', "o'b", ''])
    expect(typosOf(word)).toEqual([])
})
