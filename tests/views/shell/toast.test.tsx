import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { showToast } from '../../../src/commands/toast.ts'
import Toasts from '../../../src/views/shell/toast.tsx'

const hasFocus = vi.fn(() => true)

beforeEach(() => {
  vi.useFakeTimers()
  hasFocus.mockReturnValue(true)
  vi.spyOn(document, 'hasFocus').mockImplementation(hasFocus)
  render(<Toasts />)
})
afterEach(() => {
  toast.dismiss()
  vi.useRealTimers()
})

const show = (...given: Parameters<typeof showToast>) => {
  act(() => {
    showToast(...given)
  })
  pass(0)
}
const pass = (milliseconds: number) => {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}
const isShown = (text: string) =>
  screen.queryByText(text)?.closest('[data-sonner-toast]')?.getAttribute('data-removed') === 'false'

/** Waits 50 ms first, as a closed toast is removed in the second frame. */
const isGone = (text: string) => {
  pass(50)
  return !isShown(text)
}

function leaveWindow() {
  hasFocus.mockReturnValue(false)
  fireEvent.blur(window)
}
function returnToWindow() {
  hasFocus.mockReturnValue(true)
  fireEvent.focus(window)
}

describe('the timeout of a toast (S2.u.4)', () => {
  it('is 5000 ms (S9.9)', () => {
    show('Logged in successfully')
    pass(4999)
    expect(isShown('Logged in successfully')).toBe(true)
    pass(1)
    expect(isGone('Logged in successfully')).toBe(true)
    pass(500)
    expect(screen.queryByText('Logged in successfully')).toBeNull()
  })

  it('runs for each toast separately', () => {
    show('first')
    pass(3000)
    show('second')
    pass(2000)
    expect([isGone('first'), isShown('second')]).toEqual([true, true])
    pass(2950)
    expect(isGone('second')).toBe(true)
  })

  it('stops while the pointer is over the toast, then continues with the remaining time', () => {
    show('hovered')
    pass(3000)
    fireEvent.pointerEnter(screen.getByText('hovered'))
    pass(60_000)
    expect(isShown('hovered')).toBe(true)
    fireEvent.pointerLeave(screen.getByText('hovered'))
    pass(1999)
    expect(isShown('hovered')).toBe(true)
    pass(1)
    expect(isGone('hovered')).toBe(true)
  })

  it('stops while the window has no focus, then continues with the remaining time', () => {
    show('behind')
    pass(4000)
    leaveWindow()
    pass(60_000)
    expect(isShown('behind')).toBe(true)
    returnToWindow()
    pass(999)
    expect(isShown('behind')).toBe(true)
    pass(1)
    expect(isGone('behind')).toBe(true)
  })

  it('starts only when the window has the focus', () => {
    hasFocus.mockReturnValue(false)
    show('early')
    pass(60_000)
    expect(isShown('early')).toBe(true)
    returnToWindow()
    pass(4999)
    expect(isShown('early')).toBe(true)
    pass(1)
    expect(isGone('early')).toBe(true)
  })

  it('stops while the tab is hidden', () => {
    show('hidden')
    pass(1000)
    fireEvent(document, new Event('visibilitychange'))
    pass(60_000)
    expect(isShown('hidden')).toBe(true)
    returnToWindow()
    pass(4000)
    expect(isGone('hidden')).toBe(true)
  })

  it("stops while the toast's button has the focus", () => {
    show('focused', { label: 'Undo', command: 'undo.last', run: () => undefined })
    act(() => {
      screen.getByRole('button', { name: 'Undo' }).focus()
    })
    pass(60_000)
    expect(isShown('focused')).toBe(true)
    act(() => {
      screen.getByRole('button', { name: 'Undo' }).blur()
    })
    pass(5000)
    expect(isGone('focused')).toBe(true)
  })

  it('does not continue when the pointer leaves the toast in a window without focus', () => {
    show('both')
    leaveWindow()
    fireEvent.pointerEnter(screen.getByText('both'))
    fireEvent.pointerLeave(screen.getByText('both'))
    pass(60_000)
    expect(isShown('both')).toBe(true)
  })
})

describe('a click', () => {
  it('anywhere in the toast closes it (S2.u.4)', () => {
    show('clicked')
    fireEvent.click(screen.getByText('clicked'))
    expect(isGone('clicked')).toBe(true)
  })

  it("on the toast's button runs the action once and closes the toast (R7)", () => {
    const run = vi.fn()
    show('with action', { label: 'Undo', command: 'undo.last', run })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(run).toHaveBeenCalledTimes(1)
    expect(isGone('with action')).toBe(true)
  })

  it('on the text of a toast does not run its action', () => {
    const run = vi.fn()
    show('beside it', { label: 'Undo', command: 'undo.last', run })
    fireEvent.click(screen.getByText('beside it'))
    pass(10_000)
    expect(run).not.toHaveBeenCalled()
  })
})

it('a toast is announced to screen readers', () => {
  show('heard')
  expect(screen.getByText('heard').closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
})

it('toasts that are asked for before their code has come are shown by it, in their order', () => {
  cleanup()
  showToast('asked for first')
  showToast('asked for second')
  render(<Toasts />)
  pass(0)
  expect(isShown('asked for first') && isShown('asked for second')).toBe(true)
  // The newest toast stands first in the document.
  const texts = screen.getAllByText(/^asked for/).map(({ textContent }) => textContent)
  expect(texts).toEqual(['asked for second', 'asked for first'])
})
