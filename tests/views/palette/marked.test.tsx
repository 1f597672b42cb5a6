import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Marked } from '../../../src/views/palette/marked.tsx'

it.each([
  ['Ian Tajeu Tumanka', ['tum', 'ian'], ['Ian', 'Tum']],
  ['Search drivers for “wallet”', ['drivers', 'wallet'], ['drivers', 'wallet']],
  ['Clear invoice 12 (Ksh 340)', ['ksh', '34'], ['Ksh', '34']],
  ['Toggle the sidebar', ['bar'], []],
])('in %s, the typed beginnings of words are marked: %j', (text, words, marked) => {
  const { container } = render(<Marked text={text} words={words} />)
  expect(container.textContent).toBe(text)
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(marked)
})
