import { getDefaultStore } from 'jotai'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const store = getDefaultStore()
const defaults = { theme: 'system', density: 'comfortable', singleKeys: true, hidden: {} }
const root = document.documentElement

/** The settings as a page finds them that opens now. */
async function open() {
  vi.resetModules()
  const { applySettings, settingsAtom } = await import('../../src/state/settings.ts')
  applySettings()
  return settingsAtom
}

beforeEach(() => localStorage.clear())

describe('the settings of this browser', () => {
  it('start with the theme of the system, comfortable rows and single keys', async () => {
    expect(store.get(await open())).toEqual(defaults)
    expect(root.dataset).not.toHaveProperty('theme')
    expect(root.dataset['density']).toBe('comfortable')
  })

  it('are on the document at once, and there again when the page opens next', async () => {
    store.set(await open(), { theme: 'dark' })
    expect(root.dataset['theme']).toBe('dark')
    const next = await open()
    store.set(next, { density: 'compact', singleKeys: false })
    delete root.dataset['theme']
    expect(store.get(await open())).toEqual({
      ...defaults,
      theme: 'dark',
      density: 'compact',
      singleKeys: false,
    })
    expect(root.dataset).toMatchObject({ theme: 'dark', density: 'compact' })
  })

  it('give the theme back to the system', async () => {
    const settings = await open()
    store.set(settings, { theme: 'light' })
    store.set(settings, { theme: 'system' })
    expect(root.dataset).not.toHaveProperty('theme')
  })

  it.each(['{', 'null', '[]', '"dark"', '5', '{"theme":"pink","density":7,"singleKeys":"no"}'])(
    'read %s as the defaults',
    async (stored) => {
      localStorage.setItem('oms.settings', stored)
      expect(store.get(await open())).toEqual(defaults)
    },
  )

  it('last as long as the page where storage is blocked', async () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    const settings = await open()
    store.set(settings, { density: 'compact' })
    expect(store.get(settings)).toEqual({ ...defaults, density: 'compact' })
    expect(root.dataset['density']).toBe('compact')
  })
})
