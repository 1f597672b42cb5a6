import { afterEach, beforeEach, expect, vi } from 'vitest'

const complaints = () => ({ error: vi.spyOn(console, 'error'), warn: vi.spyOn(console, 'warn') })

/** A call of console.error or console.warn fails its test. */
beforeEach(() => {
  complaints()
})
afterEach(() => {
  const { error, warn } = complaints()
  expect(error.mock.calls, 'console.error').toEqual([])
  expect(warn.mock.calls, 'console.warn').toEqual([])
})
