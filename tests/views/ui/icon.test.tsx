import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createIcon } from '../../../src/views/ui/icon.tsx'

const Line = createIcon('M4 5h16')

it('an icon without a name is hidden from screen readers, and one with a name is not', () => {
  render(
    <>
      <Line data-testid="unnamed" />
      <Line role="img" aria-label="New" />
    </>,
  )
  expect(screen.getByTestId('unnamed').ariaHidden).toBe('true')
  expect(screen.getByRole('img', { name: 'New' }).ariaHidden).toBeNull()
})

it('an icon has the size and the class that it is given, besides its own', () => {
  render(<Line data-testid="icon" size={14} className="tick" />)
  const icon = screen.getByTestId('icon')
  expect([icon.getAttribute('width'), icon.getAttribute('height')]).toEqual(['14', '14'])
  expect([...icon.classList].at(-1)).toBe('tick')
  expect(icon.classList).toHaveLength(2)
})
