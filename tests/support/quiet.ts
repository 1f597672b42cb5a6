import { afterEach, beforeEach, expect, vi } from 'vitest'

const complaints = () => ({ error: vi.spyOn(console, 'error'), warn: vi.spyOn(console, 'warn') })

/** An unexpected complaint on the console fails the test that caused it. */
beforeEach(() => {
  complaints()
})
afterEach(() => {
  const { error, warn } = complaints()
  expect(error.mock.calls, 'console.error').toEqual([])
  expect(warn.mock.calls, 'console.warn').toEqual([])
})
