import { createStore } from 'jotai'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setViewport } from '../support/viewport.ts'

const store = createStore()

/** Loads the sidebar's state as a newly opened page does. */
async function open() {
  vi.resetModules()
  return import('../../src/state/sidebar.ts')
}

const forget = () => (document.cookie = 'sidebar:state=; path=/; max-age=0')
beforeEach(() => {
  forget()
})

describe('the sidebar cookie (S4.10)', () => {
  it('is named sidebar:state and is valid for path / and 7 days (S9.7)', async () => {
    const { sidebarExpandedAtom } = await open()
    const write = vi.spyOn(document, 'cookie', 'set')
    store.set(sidebarExpandedAtom, false)
    store.set(sidebarExpandedAtom, true)
    expect(write.mock.calls.map(([text]) => text.split('; ').slice(0, 3))).toEqual([
      ['sidebar:state=false', 'path=/', 'max-age=604800'],
      ['sidebar:state=true', 'path=/', 'max-age=604800'],
    ])
  })

  it('keeps the choice for the next visit', async () => {
    const { sidebarExpandedAtom } = await open()
    expect(store.get(sidebarExpandedAtom)).toBe(true)
    store.set(sidebarExpandedAtom, false)
    expect(store.get((await open()).sidebarExpandedAtom)).toBe(false)
  })

  it.each([
    ['', true],
    ['sidebar:state=true', true],
    ['sidebar:state=false', false],
    ['sidebar:state=', true],
    ['sidebar:state=0', true],
    ['sidebar:state', true],
    ['sidebar:state=%', true],
    ['sidebar:state={"false":', true],
    ['sidebar:state=[false]', true],
    ['other=false', true],
    ['xsidebar:state=false', true],
    ['a=1; sidebar:state=false; b=2', false],
    ['a=1;sidebar:state=false', false],
  ])('read from %j gives expanded: %j (S9.7, reliability 26)', async (cookies, expanded) => {
    const read = vi.spyOn(document, 'cookie', 'get').mockReturnValue(cookies)
    const { sidebarExpandedAtom } = await open()
    expect(store.get(sidebarExpandedAtom)).toBe(expanded)
    read.mockRestore()
  })
})

it('where cookies are blocked, the sidebar is expanded, and toggling it lasts as long as the page (reliability 26)', async () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const read = vi.spyOn(document, 'cookie', 'get').mockImplementation(refuse)
  const write = vi.spyOn(document, 'cookie', 'set').mockImplementation(refuse)
  const { sidebarExpandedAtom } = await open()
  expect(store.get(sidebarExpandedAtom)).toBe(true)
  store.set(sidebarExpandedAtom, false)
  expect(store.get(sidebarExpandedAtom)).toBe(false)
  read.mockRestore()
  write.mockRestore()
})

describe('toggling the sidebar (S2.b.4)', () => {
  it('expands and collapses it from 1200 px on (S9.6)', async () => {
    setViewport(1200)
    const { sidebarExpandedAtom, sidebarOpenAtom, toggleSidebarAtom } = await open()
    store.set(toggleSidebarAtom)
    expect(store.get(sidebarExpandedAtom)).toBe(false)
    expect(store.get(sidebarOpenAtom)).toBe(false)
    store.set(toggleSidebarAtom)
    expect(store.get(sidebarExpandedAtom)).toBe(true)
  })

  it('opens and closes the panel below 1200 px, without writing the cookie', async () => {
    setViewport(1199)
    const { sidebarExpandedAtom, sidebarOpenAtom, toggleSidebarAtom } = await open()
    const write = vi.spyOn(document, 'cookie', 'set')
    store.set(toggleSidebarAtom)
    expect(store.get(sidebarOpenAtom)).toBe(true)
    expect(store.get(sidebarExpandedAtom)).toBe(true)
    store.set(toggleSidebarAtom)
    expect(store.get(sidebarOpenAtom)).toBe(false)
    expect(write).not.toHaveBeenCalled()
  })

  it('treats the window as narrow below 1200 px, also after a resize', async () => {
    const { narrowAtom } = await open()
    const stop = store.sub(narrowAtom, () => undefined)
    expect(store.get(narrowAtom)).toBe(false)
    setViewport(1199.5)
    expect(store.get(narrowAtom)).toBe(true)
    setViewport(1200)
    expect(store.get(narrowAtom)).toBe(false)
    stop()
  })
})
