import { createStore, getDefaultStore } from 'jotai'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const store = createStore()
const defaults = {
  ...{ theme: 'system', density: 'comfortable', singleKeys: true, keys: {}, pinned: {} },
  ...{ hidden: {}, order: {}, widths: {} },
}
const root = document.documentElement

/** Loads the settings as a newly opened page does. */
async function open() {
  vi.resetModules()
  const { applySettings, settingsAtom } = await import('../../src/state/settings.ts')
  applySettings()
  return settingsAtom
}

beforeEach(() => localStorage.clear())

describe('the settings of this browser', () => {
  it('default to the theme of the system, comfortable rows and single-letter keys', async () => {
    expect(store.get(await open())).toEqual(defaults)
    expect(root.dataset).not.toHaveProperty('theme')
    expect(root.dataset['density']).toBe('comfortable')
  })

  it('are applied to the root element at once, and again when the page is opened next', async () => {
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

  it('set no theme on the root element if the theme is that of the system', async () => {
    const settings = await open()
    store.set(settings, { theme: 'light' })
    store.set(settings, { theme: 'system' })
    expect(root.dataset).not.toHaveProperty('theme')
  })

  it.each(['{', 'null', '[]', '"dark"', '5', '{"theme":"pink","density":7,"singleKeys":"no"}'])(
    'are the defaults if %s is stored',
    async (stored) => {
      localStorage.setItem('oms.settings', stored)
      expect(store.get(await open())).toEqual(defaults)
    },
  )

  it('keep changed keys; of stored ones only texts are read', async () => {
    store.set(await open(), { keys: { 'driver.suspend': 'k' } })
    expect(store.get(await open()).keys).toEqual({ 'driver.suspend': 'k' })
    localStorage.setItem('oms.settings', '{"keys":{"a.b":5,"c.d":"x"}}')
    expect(store.get(await open()).keys).toEqual({ 'c.d': 'x' })
    localStorage.setItem('oms.settings', '{"keys":["x"]}')
    expect(store.get(await open()).keys).toEqual({})
  })

  it('keep hidden columns, their order and their widths; of stored ones only valid values are read', async () => {
    const chosen = { hidden: { '/a': ['x'] }, order: { '/a': ['y', 'x'] }, widths: { '/a x': 90 } }
    store.set(await open(), chosen)
    expect(store.get(await open())).toEqual({ ...defaults, ...chosen })
    localStorage.setItem(
      'oms.settings',
      JSON.stringify({
        hidden: { '/a': [null, 'x'], '/b': 'x' },
        order: { '/a': ['x', 5], '/b': 7 },
        widths: { '/a x': 90, '/a y': '90' },
      }),
    )
    expect(store.get(await open())).toEqual({
      ...defaults,
      hidden: { '/a': ['x'], '/b': [] },
      order: { '/a': ['x'], '/b': [] },
      widths: { '/a x': 90 },
    })
    localStorage.setItem('oms.settings', '{"hidden":5,"order":null,"widths":[90]}')
    expect(store.get(await open())).toEqual(defaults)
  })

  it('that another tab changes take effect in this one, which then does not undo them', async () => {
    const tabs = getDefaultStore()
    const [one, other] = [await open(), await open()]
    // A browser tells all other tabs.
    const tell = () => window.dispatchEvent(new StorageEvent('storage', { key: 'oms.settings' }))
    tabs.set(one, { theme: 'dark', widths: { '/trips id': 80 } })
    tell()
    expect(root.dataset['theme']).toBe('dark')
    tabs.set(other, { density: 'compact', widths: { ...tabs.get(other).widths, '/trips cost': 90 } })
    tell()
    expect(tabs.get(await open())).toEqual({
      ...defaults,
      ...{ theme: 'dark', density: 'compact', widths: { '/trips id': 80, '/trips cost': 90 } },
    })
  })

  it('are not read again for other changes of the storage, which a draft makes with every letter', async () => {
    const settings = await open()
    localStorage.setItem('oms.settings', '{"theme":"dark"}')
    window.dispatchEvent(new StorageEvent('storage', { key: 'oms.draft x' }))
    expect(getDefaultStore().get(settings).theme).toBe('system')
  })

  it('last as long as the page if storage is blocked', async () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    const settings = await open()
    store.set(settings, { density: 'compact' })
    expect(store.get(settings)).toEqual({ ...defaults, density: 'compact' })
    expect(root.dataset['density']).toBe('compact')
  })
})
