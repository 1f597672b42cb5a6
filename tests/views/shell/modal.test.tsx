import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Modal } from '../../../src/views/shell/modal.tsx'

const closed = vi.fn()

function Example() {
  const [isOpen, setOpen] = useState(true)
  const close = () => {
    closed()
    setOpen(false)
  }
  return (
    <Modal open={isOpen} close={close} title="A title" icon={<svg data-testid="icon" />}>
      <p>Its content</p>
    </Modal>
  )
}

beforeEach(() => {
  closed.mockClear()
  render(<Example />)
})

const backdrop = () => {
  const element = screen.getByRole('dialog').previousElementSibling
  if (!element) throw new Error('There is no backdrop.')
  return element
}

test('a modal has a title, an icon and a close control (S2.u.3)', async () => {
  expect(screen.getByRole('dialog', { name: 'A title' }).contains(screen.getByTestId('icon'))).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(closed).toHaveBeenCalledTimes(1)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a press and release on the backdrop closes a modal (S2.u.3)', async () => {
  await userEvent.setup({ pointerEventsCheck: 0 }).click(backdrop())
  expect(closed).toHaveBeenCalledTimes(1)
})

test('a press inside that is released on the backdrop leaves a modal open (S2.u.3)', async () => {
  const user = userEvent.setup({ pointerEventsCheck: 0 })
  await user.pointer([
    { keys: '[MouseLeft>]', target: screen.getByText('Its content') },
    { keys: '[/MouseLeft]', target: backdrop() },
  ])
  expect(closed).not.toHaveBeenCalled()
})

test('Escape closes a modal (S2.u.3)', async () => {
  await userEvent.keyboard('{Escape}')
  expect(closed).toHaveBeenCalledTimes(1)
})
