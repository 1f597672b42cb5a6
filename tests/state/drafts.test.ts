import { getDefaultStore } from 'jotai'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { disk, refuseWrites, useDisk } from '../support/indexed-db.ts'

const store = getDefaultStore()
useDisk()
const draft = (code: string, more: object = {}) => ({
  values: { code, ...more },
  base: { code: '' },
  key: `key of ${code}`,
  errors: {},
})
const photo = new File(['bytes'], 'photo.png', { type: 'image/png' })

/** The page after a reload: memory is empty, IndexedDB and localStorage are unchanged. */
async function openPage(email = 'asha@twende.test') {
  vi.resetModules()
  const { startSession } = await import('../../src/state/session.ts')
  const drafts = await import('../../src/state/drafts.ts')
  startSession({ token: 'token', email })
  await drafts.loadDrafts()
  const { draftsAtom, draftKeysAtom } = drafts
  return {
    ...drafts,
    held: () => store.get(draftsAtom),
    keys: () => [...store.get(draftKeysAtom)],
  }
}

/** Resolves when IndexedDB has stored the drafts: their copies are then removed from localStorage. */
const onDisk = () => vi.waitFor(() => expect(localStorage).toHaveLength(0))
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

describe('a draft', () => {
  it('is in memory at once and then in IndexedDB, with its Idempotency-Key (R2, R8)', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'blog', id: 'new' })
    page.keepDraft(id, draft('a'))
    expect(page.held().get(id)).toEqual(draft('a'))
    await settled()
    expect(disk.get(id)).toMatchObject(draft('a'))
  })

  it('has its picked file stored before the file is shown, and does not write it again (R2)', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'blog', id: 'new' })
    await page.keepFile(id, 'image', photo)
    const kept = [...disk.keys()]
    page.keepDraft(id, draft('a', { image: photo }))
    await settled()
    expect(disk.get(id)).toMatchObject(draft('a'))
    expect([...disk.keys()]).toEqual([...kept, id])
    const after = await openPage()
    expect(after.held().get(id)?.values).toEqual({ code: 'a', image: photo })
    after.discardDraft(id)
    await settled()
    expect(disk.size).toBe(0)
  })

  it('does not restore a file that was replaced by its address', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'blog', id: 'new' })
    await page.keepFile(id, 'image', photo)
    page.keepDraft(id, draft('a', { image: '/files/abc.png' }))
    await settled()
    expect((await openPage()).held().get(id)?.values['image']).toBe('/files/abc.png')
  })

  it('is restored from localStorage if IndexedDB had not stored it, and discarding removes that copy', async () => {
    const before = await openPage()
    const id = before.draftId({ noun: 'coupon', id: 'new' })
    before.keepDraft(id, draft('a'))
    await settled()
    expect(localStorage).toHaveLength(0)
    refuseWrites()
    before.keepDraft(id, draft('ab'))
    await settled()
    const after = await openPage()
    expect(after.held().get(id)).toEqual(draft('ab'))
    after.discardDraft(id)
    expect(localStorage).toHaveLength(0)
  })

  it('is restored from the newer of two copies', async () => {
    const before = await openPage()
    const id = before.draftId({ noun: 'coupon', id: 'new' })
    before.keepDraft(id, draft('a'))
    const older = Object.entries(localStorage)
    await onDisk()
    before.keepDraft(id, draft('ab'))
    await onDisk()
    for (const [key, value] of older) localStorage.setItem(key, String(value))
    expect((await openPage()).held().get(id)).toEqual(draft('ab'))
  })

  it('keeps text that was typed before a slow IndexedDB restored it', async () => {
    const before = await openPage()
    const id = before.draftId({ noun: 'coupon', id: 'new' })
    before.keepDraft(id, draft('a', { title: 'kept' }))
    await settled()
    vi.resetModules()
    const { keepDraft, loadDrafts, draftsAtom } = await import('../../src/state/drafts.ts')
    const loaded = loadDrafts()
    keepDraft(id, { ...draft('typed', { title: '' }), base: { code: '', title: '' } })
    await loaded
    expect(store.get(draftsAtom).get(id)).toMatchObject({
      values: { code: 'typed', title: 'kept' },
      key: 'key of typed',
    })
  })

  it('is restored if IndexedDB could not be opened at first, as after a browser crash (R2)', async () => {
    const before = await openPage()
    const id = before.draftId({ noun: 'coupon', id: 'new' })
    before.keepDraft(id, draft('a'))
    await settled()
    const open = vi.spyOn(indexedDB, 'open')
    const refuse = () => {
      throw new DOMException('Internal error opening backing store', 'UnknownError')
    }
    open.mockImplementationOnce(refuse).mockImplementationOnce(refuse)
    const page = await openPage()
    await vi.waitFor(() => expect(page.held().get(id)).toEqual(draft('a')), 15_000)
    expect(open).toHaveBeenCalledTimes(3)
  })

  it('keeps with its key the version that was sent, also over a reload; a malformed one is dropped (R8)', async () => {
    const before = await openPage()
    const [good, bad] = ['5', '6'].map((id) => before.draftId({ noun: 'coupon', id }))
    if (!good || !bad) throw new Error('There are two ids.')
    before.keepDraft(good, { ...draft('a'), sent: { key: 'key of a', version: 1 } })
    await settled()
    disk.set(bad, { ...draft('b'), sent: 'x' })
    const after = await openPage()
    expect(after.held().get(good)?.sent).toEqual({ key: 'key of a', version: 1 })
    expect(after.held().get(bad)).toEqual(draft('b'))
  })

  it('survives a reload, and its id is among those that show a dot (R2)', async () => {
    const before = await openPage()
    before.keepDraft(before.draftId({ noun: 'coupon', id: '5' }), draft('a'))
    await settled()
    const after = await openPage()
    expect(after.keys()).toEqual([after.draftId({ noun: 'coupon', id: '5' })])
    expect(after.held().get(after.draftId({ noun: 'coupon', id: '5' }))).toEqual(draft('a'))
  })

  it('is stored in its last version, however fast it changes', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    for (const code of ['a', 'ab', 'abc']) page.keepDraft(id, draft(code))
    await settled()
    expect(disk.get(id)).toMatchObject(draft('abc'))
  })

  it('does not come back after it is discarded and the page reloaded', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    page.keepDraft(id, draft('a'))
    page.discardDraft(id)
    expect(page.keys()).toEqual([])
    await settled()
    expect((await openPage()).keys()).toEqual([])
  })

  it('has its own id for each staff member, form and record (R2)', async () => {
    const asha = await openPage('asha@twende.test')
    const ids = [
      asha.draftId({ noun: 'coupon', id: 'new' }),
      asha.draftId({ noun: 'coupon', id: '5' }),
      asha.draftId({ noun: 'promo', id: '5' }),
    ]
    const juma = await openPage('juma@twende.test')
    ids.push(juma.draftId({ noun: 'coupon', id: 'new' }))
    expect(new Set(ids).size).toBe(4)
  })

  it('is kept when the session ends', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    page.keepDraft(id, draft('a'))
    const { endSession } = await import('../../src/state/session.ts')
    endSession()
    expect(page.keys()).toEqual([id])
  })

  it('appears in other tabs and disappears there when it is deleted', async () => {
    const here = await openPage()
    const elsewhere = new BroadcastChannel('oms.drafts')
    const id = here.draftId({ noun: 'coupon', id: 'new' })
    disk.set(id, draft('typed elsewhere'))
    elsewhere.postMessage(id)
    await vi.waitFor(() => expect(here.held().get(id)).toEqual(draft('typed elsewhere')))
    disk.delete(id)
    elsewhere.postMessage(id)
    await vi.waitFor(() => expect(here.keys()).toEqual([]))
    elsewhere.close()
  })

  it('lasts as long as the page if IndexedDB is full or blocked', async () => {
    refuseWrites()
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    page.keepDraft(id, draft('a'))
    await settled()
    expect(page.held().get(id)).toEqual(draft('a'))
  })
})

it.each([null, 7, 'text', {}, { values: {}, key: 'k' }, { values: 1, base: {}, key: 'k' }])(
  'a stored value that is not a draft is ignored: %j',
  async (odd) => {
    disk.set('asha@twende.test coupon:new', odd)
    expect((await openPage()).keys()).toEqual([])
  },
)
