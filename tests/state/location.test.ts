import { getDefaultStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { locationAtom, navigate, recall, remember } from '../../src/state/location.ts'

const store = getDefaultStore()
const place = () => store.get(locationAtom)
let unmount = () => {}

beforeEach(() => {
  unmount = store.sub(locationAtom, () => undefined)
  navigate('/start')
})
afterEach(() => unmount())

async function go(by: number): Promise<void> {
  const arrived = new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true })
  })
  window.history.go(by)
  await arrived
}

describe('locationAtom', () => {
  it("is the path and the query string of the browser's address, without the question mark", () => {
    navigate('/riders?page=2&s=jo')
    expect(place()).toMatchObject({ path: '/riders', search: 'page=2&s=jo' })
    expect(window.location.href).toMatch(/\/riders\?page=2&s=jo$/)
  })

  it('pushes a history entry with a new key, or replaces the entry and keeps its key', () => {
    const { key } = place()
    const entries = window.history.length
    navigate('/riders')
    const pushed = place().key
    expect(window.history.length).toBe(entries + 1)
    expect(pushed).not.toBe(key)
    navigate('/riders?page=2', { replace: true })
    expect(window.history.length).toBe(entries + 1)
    expect(place()).toMatchObject({ path: '/riders', search: 'page=2', key: pushed })
  })

  it('follows Back and Forward', async () => {
    navigate('/riders?page=2')
    navigate('/riders/12')
    await go(-1)
    expect(place()).toMatchObject({ path: '/riders', search: 'page=2' })
    await go(1)
    expect(place()).toMatchObject({ path: '/riders/12', search: '' })
  })

  it('stays the same object when it is mounted, so that nothing is rendered again', () => {
    const before = place()
    unmount()
    unmount = store.sub(locationAtom, () => undefined)
    expect(place()).toBe(before)
  })

  it('follows Back also before anything depends on it', async () => {
    navigate('/riders')
    navigate('/other')
    unmount()
    await go(-1)
    expect(place().path).toBe('/riders')
  })

  it('notifies its subscribers of navigation and of Back', async () => {
    const seen: string[] = []
    const stop = store.sub(locationAtom, () => seen.push(place().path))
    navigate('/a')
    navigate('/b')
    await go(-1)
    stop()
    expect(seen).toEqual(['/a', '/b', '/a'])
  })
})

describe('the scroll position and focus that Back restores', () => {
  it('are stored for each history entry', async () => {
    navigate('/riders')
    remember({ scroll: 480 })
    remember({ row: 'driver:12', column: 3 })
    navigate('/riders?page=2')
    expect(recall()).toEqual({})
    remember({ scroll: 7 })
    await go(-1)
    expect(recall()).toEqual({ scroll: 480, row: 'driver:12', column: 3 })
    await go(1)
    expect(recall()).toEqual({ scroll: 7 })
  })

  it('are separate for two history entries with the same address', async () => {
    navigate('/riders')
    remember({ scroll: 1 })
    navigate('/riders')
    remember({ scroll: 2 })
    await go(-1)
    expect(recall()).toEqual({ scroll: 1 })
  })

  it('are kept when the history entry is replaced', () => {
    navigate('/riders?page=9')
    remember({ scroll: 480 })
    navigate('/riders?page=3', { replace: true })
    expect(recall()).toEqual({ scroll: 480 })
  })

  it('are kept in memory for the 50 entries that were shown last', () => {
    // As Back and Forward do it: nothing of the entry that is left can be written into its state.
    const show = (key: string) => {
      window.history.replaceState({ key }, '')
      window.dispatchEvent(new PopStateEvent('popstate'))
    }
    for (let entry = 0; entry < 52; entry++) {
      show(`entry ${entry}`)
      remember({ scroll: entry + 1 })
      if (entry === 49) {
        show('entry 0')
        remember({ row: 'driver:1' })
      }
    }
    const kept = Array.from({ length: 52 }, (_, entry) => {
      show(`entry ${entry}`)
      return recall().scroll !== undefined
    })
    expect(kept.flatMap((isKept, entry) => (isKept ? [] : [entry]))).toEqual([1, 2])
  })

  it('survive a reload of the page', async () => {
    navigate('/riders')
    remember({ scroll: 480, row: 'driver:12' })
    window.dispatchEvent(new Event('pagehide'))
    vi.resetModules()
    const afterReload = await import('../../src/state/location.ts')
    expect(afterReload.recall()).toEqual({ scroll: 480, row: 'driver:12' })
  })

  it('survive a reload after leaving the page and going back to it', async () => {
    navigate('/riders')
    remember({ scroll: 480 })
    navigate('/riders/12')
    await go(-1)
    vi.resetModules()
    const afterReload = await import('../../src/state/location.ts')
    expect(afterReload.recall()).toEqual({ scroll: 480 })
  })

  it.each([null, 'text', 7, {}, { key: 5 }, { viewed: 'x' }, { viewed: null }])(
    'are unset if the history state is %j, which the console did not write',
    (state) => {
      window.history.pushState(state, '', '/elsewhere')
      window.dispatchEvent(new PopStateEvent('popstate'))
      expect(place()).toMatchObject({ path: '/elsewhere', key: 'first' })
      expect(recall()).toEqual({})
    },
  )
})
