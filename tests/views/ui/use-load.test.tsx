import { act } from '@testing-library/react'
import { screen } from '@testing-library/dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { retryOnFocus } from '../../../src/api/query-client.ts'
import { navigate } from '../../../src/state/location.ts'
import { callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

const list = 'GET drivers/'
const jo = wireDriver({ id: 1, name: 'Jo Kamau' })
const asked = () => callsTo(list).length

/** Advances the fake clock by `time` ms, and lets the timers and requests that are due finish. */
const pass = (time: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(time)
    await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(0)
  })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const open = async () => {
  renderApp({ path: '/riders' })
  await pass(1000)
}
const retry = () => screen.queryByRole('button', { name: 'Retry' })

describe('a failed load', () => {
  it.each<[string, () => unknown]>([
    ['a network failure', lose],
    ['a 500', () => refuse(500)],
    ['a 429', () => refuse(429)],
    ['an HTML page instead of JSON', () => new Response('<!doctype html>')],
  ])(
    'is repeated automatically after %s until it succeeds (R1, S8.10, reliability 23)',
    async (_what, answer) => {
      serve({ [list]: answer })
      await open()
      expect(retry()).toBeTruthy()
      serve({ [list]: wirePage([jo]) })
      await pass(2_400)
      expect(screen.getByText('Jo Kamau')).toBeTruthy()
      expect(retry()).toBeNull()
      const calls = asked()
      await pass(120_000)
      expect(asked()).toBe(calls)
    },
  )

  it('is repeated at growing intervals, while the Retry button stays and keeps the focus', async () => {
    serve({ [list]: () => refuse(500, '', { 'retry-after': '0' }) })
    await open()
    const button = retry()
    button?.focus()
    const times: number[] = []
    let before = asked()
    for (let second = 1; second <= 300; second++) {
      await pass(1000)
      expect(retry()).toBe(button)
      expect(document.activeElement).toBe(button)
      // The client itself repeats a failed call once, a second later: counted as one.
      if (asked() > before && second - (times.at(-1) ?? -9) > 2) times.push(second)
      before = asked()
    }
    const gaps = times.map((time, at) => time - (times[at - 1] ?? 0))
    expect(times.length).toBeGreaterThanOrEqual(6)
    expect(times.length).toBeLessThanOrEqual(13)
    for (const [at, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual((gaps[at - 1] ?? 0) * 0.8 - 2)
  })

  it('before the screen was opened is not shown there: the screen begins with its placeholders', async () => {
    serve({ [list]: () => refuse(400), 'GET trips/': wirePage([]) })
    renderApp({ path: '/trips' })
    await pass(1000)
    act(() => screen.getByRole('link', { name: 'Drivers' }).focus())
    await pass(1000)
    expect(asked()).toBe(1)
    const reply = hold()
    serve({ [list]: reply.answer })
    act(() => navigate('/riders'))
    await pass(1000)
    expect(asked()).toBe(2)
    expect(retry()).toBeNull()
    reply.give(refuse(400))
    await pass(1000)
    expect(retry()).toBeTruthy()
  })

  it('of another page shows Retry although the person has pressed it on an earlier page', async () => {
    const page = (at: number) => wirePage([jo], { current_page_number: at, total_pages: 3 })
    serve({ [list]: () => refuse(400) })
    await open()
    for (let times = 0; times < 3; times++) {
      act(() => retry()?.click())
      await pass(1000)
    }
    serve({ [list]: () => page(1) })
    act(() => retry()?.click())
    await pass(1000)
    expect(retry()).toBeNull()
    serve({ [list]: () => refuse(500) })
    act(() => navigate('/riders?page=2'))
    await pass(1000)
    expect(retry()).toBeTruthy()
    const calls = asked()
    serve({ [list]: hold().answer })
    await pass(5_000)
    expect(asked()).toBe(calls + 1)
    expect(retry()).toBeTruthy()
  })

  it.each([400, 403, 404])('with status %i is not repeated', async (status) => {
    serve({ [list]: () => refuse(status) })
    await open()
    const calls = asked()
    await pass(300_000)
    expect(asked()).toBe(calls)
    expect(retry()).toBeTruthy()
  })

  it('is repeated after the shortest delay again if a load succeeded in between', async () => {
    serve({ [list]: lose })
    await open()
    await pass(60_000)
    serve({ [list]: wirePage([jo]) })
    await pass(80_000)
    expect(retry()).toBeNull()
    serve({ [list]: lose })
    act(() => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    })
    await pass(1_500)
    expect(retry()).toBeTruthy()
    serve({ [list]: wirePage([jo]) })
    await pass(2_400)
    expect(retry()).toBeNull()
  })

  it.each([
    ['the window gets the focus', () => window.dispatchEvent(new Event('focus'))],
    [
      'the tab becomes visible',
      () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    ],
    ['the network is back', () => window.dispatchEvent(new Event('online'))],
  ])('is repeated at once when %s', async (_what, happen) => {
    retryOnFocus()
    serve({ [list]: lose })
    await open()
    await pass(20_000)
    serve({ [list]: wirePage([jo]) })
    act(() => {
      if (_what === 'the network is back') window.dispatchEvent(new Event('offline'))
      happen()
    })
    await pass(10)
    expect(screen.getByText('Jo Kamau')).toBeTruthy()
  })
})

describe('data that were loaded before the clock of the computer was set back', () => {
  it('are loaded again when they are shown again, as all older data are', async () => {
    serve({ [list]: wirePage([jo]) })
    await open()
    vi.setSystemTime(Date.now() - 3 * 3_600_000)
    const before = asked()
    act(() => navigate('/customers'))
    await pass(10)
    act(() => navigate('/riders'))
    await pass(10)
    expect(asked()).toBe(before + 1)
  })
})
