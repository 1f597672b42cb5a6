import { act } from '@testing-library/react'
import { screen } from '@testing-library/dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { retryOnFocus } from '../../../src/api/query-client.ts'
import { callsTo, lose, refuse, serve } from '../../support/network.ts'
import { renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

const list = 'GET drivers/'
const jo = wireDriver({ id: 1, name: 'Jo Kamau' })
const asked = () => callsTo(list).length

/** Lets so many milliseconds pass, and everything that comes due in them happen. */
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

describe('a load that failed', () => {
  it.each<[string, () => unknown]>([
    ['was lost', lose],
    ['met a failing server', () => refuse(500)],
    ['met a busy server', () => refuse(429)],
    ['got a page of something in between', () => new Response('<!doctype html>')],
  ])('because it %s asks again by itself until an answer comes (R1, S8.10)', async (_what, answer) => {
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
  })

  it('asks ever more rarely, and keeps Retry and its focus meanwhile', async () => {
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
      // The client repeats a lost call once, a second later.
      if (asked() > before && second - (times.at(-1) ?? -9) > 2) times.push(second)
      before = asked()
    }
    const gaps = times.map((time, at) => time - (times[at - 1] ?? 0))
    expect(times.length).toBeGreaterThanOrEqual(6)
    expect(times.length).toBeLessThanOrEqual(13)
    for (const [at, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual((gaps[at - 1] ?? 0) * 0.8 - 2)
  })

  it.each([400, 403, 404])('because it was refused with %i is not asked for again', async (status) => {
    serve({ [list]: () => refuse(status) })
    await open()
    const calls = asked()
    await pass(300_000)
    expect(asked()).toBe(calls)
    expect(retry()).toBeTruthy()
  })

  it('begins to ask soon again after a success in between', async () => {
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
    ['the tab is looked at', () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))],
    ['the network is back', () => window.dispatchEvent(new Event('online'))],
  ])('is asked for at once when %s', async (_what, happen) => {
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
