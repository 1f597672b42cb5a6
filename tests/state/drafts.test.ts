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

/** The page as it is after a reload: nothing in memory, the disk as it was left. */
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

/** What was kept is on the disk once the page has taken back its copy. */
const onDisk = () => vi.waitFor(() => expect(localStorage).toHaveLength(0))
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

describe('a draft', () => {
  it('is there at once and on disk right after, its key included (R2, R8)', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'blog', id: 'new' })
    page.keepDraft(id, draft('a'))
    expect(page.held().get(id)).toEqual(draft('a'))
    await settled()
    expect(disk.get(id)).toMatchObject(draft('a'))
  })

  it('has its picked file on disk before that is shown, and writes it no more (R2)', async () => {
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

  it('has no file that was replaced or removed', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'blog', id: 'new' })
    await page.keepFile(id, 'image', photo)
    page.keepDraft(id, draft('a', { image: '/files/abc.png' }))
    await settled()
    expect((await openPage()).held().get(id)?.values['image']).toBe('/files/abc.png')
  })

  it('is there for the next page where this one died before the disk had it, and once only', async () => {
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

  it('is the newer of two copies', async () => {
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

  it('is joined to what was typed before a slow disk answered', async () => {
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

  it('is there where the disk could not be opened at first, as after a browser that died (R2)', async () => {
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

  it('survives a reload, and its opener can tell (R2)', async () => {
    const before = await openPage()
    before.keepDraft(before.draftId({ noun: 'coupon', id: '5' }), draft('a'))
    await settled()
    const after = await openPage()
    expect(after.keys()).toEqual([after.draftId({ noun: 'coupon', id: '5' })])
    expect(after.held().get(after.draftId({ noun: 'coupon', id: '5' }))).toEqual(draft('a'))
  })

  it('is kept as last written, however fast it changes', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    for (const code of ['a', 'ab', 'abc']) page.keepDraft(id, draft(code))
    await settled()
    expect(disk.get(id)).toMatchObject(draft('abc'))
  })

  it('is gone for good once it is discarded', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    page.keepDraft(id, draft('a'))
    page.discardDraft(id)
    expect(page.keys()).toEqual([])
    await settled()
    expect((await openPage()).keys()).toEqual([])
  })

  it('belongs to its staff member, form and record (R2)', async () => {
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

  it('stays when the session ends', async () => {
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    page.keepDraft(id, draft('a'))
    const { endSession } = await import('../../src/state/session.ts')
    endSession()
    expect(page.keys()).toEqual([id])
  })

  it('is seen by the other tabs, and so is its end', async () => {
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

  it('lives as long as the page where the disk is full or blocked', async () => {
    refuseWrites()
    const page = await openPage()
    const id = page.draftId({ noun: 'coupon', id: 'new' })
    page.keepDraft(id, draft('a'))
    await settled()
    expect(page.held().get(id)).toEqual(draft('a'))
  })
})

it.each([null, 7, 'text', {}, { values: {}, key: 'k' }, { values: 1, base: {}, key: 'k' }])(
  'what is no draft on disk is none here: %j',
  async (odd) => {
    disk.set('asha@twende.test coupon:new', odd)
    expect((await openPage()).keys()).toEqual([])
  },
)
