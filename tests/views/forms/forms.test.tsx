import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { capabilitiesAtom, configAtom } from '../../../src/api/config.ts'
import { statusAtom } from '../../../src/commands/status.ts'
import { activityAtom } from '../../../src/state/activity.ts'
import { navigate } from '../../../src/state/location.ts'
import '../../support/indexed-db.ts'
import { callsTo, hold, lose, refuse, refuseFields, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { uploads } from '../../support/uploads.ts'
import {
  wireAttraction,
  wireBlog,
  wireCoupon,
  wireCustomer,
  wirePage,
  wirePromo,
} from '../../support/wire.ts'

const dialog = () => screen.queryByRole('dialog')
const field = (name: string) => screen.getByLabelText(name)
const button = (name: string) => screen.getByRole('button', { name })
const opener = (name: string) => screen.getByRole('button', { name, hidden: true })
const toasts = () =>
  [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent)
const activity = () =>
  getDefaultStore()
    .get(activityAtom)
    .map(({ what, outcome }) => [what, outcome])
const picture = new File(['bytes'], 'photo.png', { type: 'image/png' })
/** Large enough to be uploaded in chunks. */
const largePicture = new File(['x'.repeat(400_000)], 'large.png', { type: 'image/png' })
const begun = async (count: number) => {
  await waitFor(() => expect(uploads).toHaveLength(count))
  const upload = uploads.at(-1)
  if (!upload) throw new Error('There is no upload.')
  return upload
}
const valueOf = (name: string) => {
  const input = field(name)
  return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input.value : null
}

async function open(path: string, list: string, rows: unknown[], keys = 'n') {
  serve({ [`GET ${list}`]: wirePage(rows) })
  const { user } = renderApp({ path })
  await screen.findByRole('navigation', { name: /^Pages of/ })
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull())
  await user.keyboard(keys)
  await screen.findByRole('dialog')
  return user
}
const coupons = (keys?: string) => open('/coupons', 'coupons/', [wireCoupon({ id: 5, code: 'SAVE50' })], keys)
const promos = (keys?: string) => open('/promos', 'promo-codes/', [wirePromo({ id: 5 })], keys)
const blogs = (keys?: string) => open('/blogs', 'blogs-adm/', [wireBlog({ id: 5 })], keys)
const attractions = (keys?: string) =>
  open('/attractions', 'attractions/all/', [wireAttraction({ id: 5 })], keys)

describe('the coupon form', () => {
  const created = 'POST coupons/create/'
  const changed = 'POST coupons/:id/update/'

  it('has fields for code, amount and expiry date, and focuses the first (S2.p, S5.3)', async () => {
    await coupons()
    expect(screen.getByRole('dialog', { name: 'Create coupon' })).toBeTruthy()
    expect(field('Amount')).toHaveProperty('type', 'number')
    expect(field('Expiry date')).toHaveProperty('type', 'date')
    expect(document.activeElement).toBe(field('Code'))
  })

  it('sends its fields with an Idempotency-Key, closes, and the list reloads (S4.8, S7.29, R8)', async () => {
    const reply = hold()
    serve({ [created]: reply.answer })
    const user = await coupons()
    await user.type(field('Code'), 'NEW10')
    await user.type(field('Amount'), '10.5')
    fireEvent.change(field('Expiry date'), { target: { value: '2026-12-31' } })
    await user.click(button('Continue'))
    expect(button('Processing...')).toBeTruthy()
    await user.click(button('Processing...'))
    await user.keyboard('{Enter}')
    reply.give({})
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(created).map(({ body }) => body)).toEqual([
      { code: 'NEW10', amount: 10.5, valid_till: '2026-12-31' },
    ])
    expect(callsTo(created)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{36}$/)
    await waitFor(() => expect(callsTo('GET coupons/')).toHaveLength(2))
    expect(toasts()).toEqual([])
    expect(activity()).toEqual([['Create coupon NEW10', 'done']])
    expect(opener('Create coupon').title).toBe('')
  })

  it('stays open after a failure, without a message, and keeps the typed text (S4.8, S8.11)', async () => {
    serve({ [created]: () => refuse(400, 'No') })
    const user = await coupons()
    await user.type(field('Code'), 'NEW10')
    await user.click(button('Continue'))
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeTruthy()
    expect(valueOf('Code')).toBe('NEW10')
    expect(toasts()).toEqual([])
    expect(activity()).toEqual([['Create coupon NEW10', 'failed']])
  })

  it('retries a create after a lost answer with the same Idempotency-Key, but after a change with a new one (R8)', async () => {
    serve({ [created]: lose })
    const user = await coupons()
    await user.type(field('Code'), 'NEW10')
    const send = async () => {
      const sent = callsTo(created).length
      await user.click(button('Continue'))
      await waitFor(() => expect(callsTo(created).length).toBeGreaterThan(sent))
      await screen.findByRole('button', { name: 'Continue' })
    }
    await send()
    await send()
    await user.type(field('Code'), '0')
    await send()
    const keys = callsTo(created).map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('keeps its Idempotency-Key if a create that got no answer is repeated after a reload of the page and answered with 429 (R8)', async () => {
    serve({ [created]: () => refuse(429) })
    const user = await coupons()
    await user.type(field('Code'), 'NEW10')
    const { draftsAtom, keepDraft } = await import('../../../src/state/drafts.ts')
    const draft = () => [...getDefaultStore().get(draftsAtom)][0]
    const [id = '', kept] = draft() ?? []
    if (!kept) throw new Error('There is no draft.')
    // As an earlier page has left it, which got no answer.
    act(() => keepDraft(id, { ...kept, sent: { key: kept.key } }))
    await user.click(button('Continue'))
    await waitFor(() => expect(activity()).toEqual([['Create coupon NEW10', 'failed']]))
    expect(draft()?.[1].key).toBe(kept.key)
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(callsTo(created)).toHaveLength(2))
    expect(new Set(callsTo(created).map(({ headers }) => headers.get('idempotency-key')))).toEqual(
      new Set([kept.key]),
    )
  })

  /** Creates NEW10 on a server that knows keys, which gives no answer. Then the code is NEW100. */
  async function createLost() {
    const user = await coupons()
    act(() => getDefaultStore().set(capabilitiesAtom, (all) => ({ ...all, idempotency: true })))
    await user.type(field('Code'), 'NEW10')
    await send(user)
    await user.type(field('Code'), '0')
    return user
  }
  /** Each call is repeated twice when its answer is lost. */
  async function send(user: Awaited<ReturnType<typeof coupons>>) {
    await user.click(button('Continue'))
    await waitFor(() => expect(activity()[0]).toEqual(['Create coupon NEW10', 'failed']), { timeout: 10_000 })
    await screen.findByRole('button', { name: 'Continue' })
  }

  it('makes no second record if the first create was stored and only its answer was lost: it becomes an edit of that record (R8)', async () => {
    serve({ [created]: lose })
    const user = await createLost()
    const [first] = callsTo(created)
    serve({ [created]: wireCoupon({ id: 9, code: 'NEW10', version: 3 }), [changed]: {} })
    await user.click(button('Continue'))
    await screen.findByRole('dialog', { name: 'Edit coupon' })
    expect(new Set(callsTo(created).map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(new Set(callsTo(created).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(first?.body).toMatchObject({ code: 'NEW10' })
    expect(callsTo(changed)).toHaveLength(0)
    expect(getDefaultStore().get(statusAtom)?.text).toBe(
      'The first attempt has created NEW10. Send again to change it.',
    )
    expect(valueOf('Code')).toBe('NEW100')
    expect(document.activeElement).toBe(field('Code'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(changed).map(({ path }) => path)).toEqual(['coupons/9/update/'])
    expect(callsTo(changed)[0]?.body).toMatchObject({ code: 'NEW100', version: 3 })
    expect(opener('Create coupon').title).toBe('')
  })

  it('creates the changed record if the server refuses the first one, of which the answer was lost (R8)', async () => {
    serve({ [created]: lose })
    const user = await createLost()
    serve({ [created]: ({ body }) => (JSON.stringify(body).includes('NEW100') ? {} : refuse(400, 'No')) })
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    const [refused, stored] = callsTo(created).slice(-2)
    expect([refused?.body, stored?.body]).toMatchObject([{ code: 'NEW10' }, { code: 'NEW100' }])
    expect(stored?.headers.get('idempotency-key')).not.toBe(refused?.headers.get('idempotency-key'))
  })

  it('is not sent yet if the first create is stored and the answer holds no record; the status line says so (R8)', async () => {
    serve({ [created]: lose })
    const user = await createLost()
    serve({ [created]: {} })
    await user.click(button('Continue'))
    await waitFor(() =>
      expect(getDefaultStore().get(statusAtom)?.text).toBe('The first attempt has created NEW10.'),
    )
    expect(valueOf('Code')).toBe('NEW100')
    expect(callsTo(created).every(({ body }) => JSON.stringify(body).includes('"NEW10"'))).toBe(true)
  })

  it('is kept with what was sent if the session ends while the first create is repeated (R8)', async () => {
    serve({ [created]: lose })
    const user = await createLost()
    const { draftsAtom } = await import('../../../src/state/drafts.ts')
    const draft = () => [...getDefaultStore().get(draftsAtom).values()][0]
    const before = draft()
    serve({ [created]: () => refuse(401) })
    const sent = callsTo(created).length
    await user.click(button('Continue'))
    await waitFor(() => expect(address()).toBe('/login'))
    expect(callsTo(created)).toHaveLength(sent + 1)
    expect(draft()).toEqual(before)
  })

  it('creates the changed record a day later, when the server has forgotten the key of the first one (R8)', async () => {
    serve({ [created]: lose })
    const user = await createLost()
    const later = Date.now() + 23.5 * 3_600_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    onTestFinished(() => void vi.restoreAllMocks())
    serve({ [created]: {} })
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(created).at(-1)?.body).toMatchObject({ code: 'NEW100' })
  })

  it('stays the form of a new record while nobody knows whether there is one (R8)', async () => {
    serve({ [created]: lose })
    const user = await createLost()
    await send(user)
    expect(dialog()?.textContent).toContain('Create coupon')
    expect(valueOf('Code')).toBe('NEW100')
    expect(callsTo(created).every(({ body }) => JSON.stringify(body).includes('"NEW10"'))).toBe(true)
  })

  /** Saves an edit, waits for the text that the reload after the failure brings, and saves it again. Returns both calls. */
  async function saveTwice(user: Awaited<ReturnType<typeof coupons>>, reloaded: string) {
    await user.click(button('Continue'))
    await screen.findByText(reloaded)
    serve({ [changed]: {} })
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(dialog()).toBeNull())
    return callsTo(changed)
  }

  it('retries an edit after a lost answer with the same body, though the record has a new version by then (R8)', async () => {
    serve({ [changed]: lose })
    const user = await coupons('je')
    await user.type(field('Code'), '0')
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, code: 'SAVE500', version: 2 })]) })
    const [first, second] = await saveTwice(user, 'SAVE500')
    expect(first?.body).toEqual({ code: 'SAVE500', amount: 50, valid_till: '2099-12-31', version: 1 })
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
  })

  it('names no change by somebody else after a lost answer, when the amount is stored in another spelling', async () => {
    serve({ [changed]: lose })
    const user = await coupons('je')
    await user.clear(field('Amount'))
    await user.type(field('Amount'), '10.50')
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, amount: 10.5, version: 2 })]) })
    await user.click(button('Continue'))
    await screen.findByText('10.50', { selector: 'td *, td' })
    expect(field('Amount').title).toBe('')
  })

  it('retries an edit without changes with the same body and key after a lost answer (R8)', async () => {
    serve({ [changed]: lose })
    const user = await coupons('je')
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, code: 'THEIRS', version: 2 })]) })
    const [first, second] = await saveTwice(user, 'THEIRS')
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
  })

  it('sends an edit that was refused under a new Idempotency-Key and with the new version (R8)', async () => {
    serve({ [changed]: () => refuse(422, 'This Idempotency-Key was already used for another request.') })
    const user = await coupons('je')
    await user.type(field('Code'), '0')
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, code: 'THEIRS', version: 2 })]) })
    const [first, second] = await saveTwice(user, 'THEIRS')
    expect([first?.body, second?.body]).toMatchObject([{ version: 1 }, { version: 2 }])
    expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'))
  })

  it('marks the fields that the server names until they change, and shows no message (S8.11)', async () => {
    serve({ [created]: () => refuseFields({ amount: ['must be number'] }) })
    const user = await coupons()
    await user.click(button('Continue'))
    await waitFor(() => expect(field('Amount').getAttribute('aria-invalid')).toBe('true'))
    const description = document.getElementById(field('Amount').getAttribute('aria-describedby') ?? '')
    expect(description?.textContent).toBe('must be number')
    expect(field('Code').getAttribute('aria-invalid')).toBe('false')
    expect(toasts()).toEqual([])
    await user.type(field('Amount'), '5')
    expect(field('Amount').getAttribute('aria-invalid')).toBe('false')
  })

  it('focuses the first field that the server names (S8.11)', async () => {
    serve({ [created]: () => refuseFields({ valid_till: ['must be a date'], amount: ['must be number'] }) })
    const user = await coupons()
    await user.type(field('Code'), 'NEW10{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(field('Amount')))
    expect(field('Expiry date').getAttribute('aria-invalid')).toBe('true')
  })

  it('keeps no draft of a form that was sent without typing, and was refused (R2)', async () => {
    serve({ [created]: () => refuseFields({ amount: ['must be number'] }) })
    const user = await coupons()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(field('Amount')))
    expect(screen.queryByRole('button', { name: 'Discard draft' })).toBeNull()
    await user.keyboard('{Escape}')
    expect(opener('Create coupon').title).toBe('')
  })

  it('sends an edit with the version that was loaded, to the edited record only (S7.30)', async () => {
    serve({ [changed]: {} })
    const user = await coupons('je')
    expect(screen.getByRole('dialog', { name: 'Edit coupon' })).toBeTruthy()
    expect(valueOf('Expiry date')).toBe('2099-12-31')
    await user.clear(field('Code'))
    await user.type(field('Code'), 'SAVE60')
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(changed).map(({ path, body }) => [path, body])).toEqual([
      ['coupons/5/update/', { code: 'SAVE60', amount: 50, valid_till: '2099-12-31', version: 1 }],
    ])
  })

  it('shows a change by somebody else, keeps the typed text, and overwrites only when sent again (reliability 18)', async () => {
    serve({ [changed]: () => refuse(409, 'This coupon was changed after you opened it.') })
    const user = await coupons('je')
    await user.type(field('Amount'), '5')
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, amount: 70, version: 2 })]) })
    await user.click(button('Continue'))
    await waitFor(() => expect(field('Amount').title).toBe('Changed meanwhile: 70'))
    expect(valueOf('Amount')).toBe('505')
    serve({ [changed]: {} })
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(changed).at(-1)?.body).toMatchObject({ amount: 505, version: 2 })
  })

  it('keeps what somebody else has saved in fields that the person has not changed (reliability 18)', async () => {
    serve({ [changed]: () => refuse(409, 'This coupon was changed after you opened it.') })
    const user = await coupons('je')
    await user.type(field('Amount'), '5')
    const theirs = wireCoupon({ id: 5, code: 'SAVE55', valid_till: '2098-01-31', version: 2 })
    serve({ 'GET coupons/': wirePage([theirs]) })
    await user.click(button('Continue'))
    await waitFor(() => expect(field('Code').title).toBe('Changed meanwhile'))
    expect([valueOf('Code'), valueOf('Amount'), valueOf('Expiry date')]).toEqual([
      'SAVE55',
      '505',
      '2098-01-31',
    ])
    expect(field('Amount').title).toBe('')
    // The person hears what has changed, and may go on.
    expect(document.activeElement).toBe(field('Code'))
    serve({ [changed]: {} })
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    const [first, second] = callsTo(changed)
    expect(second?.body).toEqual({ code: 'SAVE55', amount: 505, valid_till: '2098-01-31', version: 2 })
    expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'))
  })

  it.each([
    ['Ksh. 1,500', '1500'],
    ['KES 1,234,567.50', '1234567.50'],
    [' 1\u00a0500/=', '1500'],
    ['1.500,00', '50'],
    ['12 34', '50'],
    ['50% of 20', '50'],
  ])('takes the amount of a pasted %j, or leaves the field as it is (S5.3)', async (pasted, amount) => {
    await coupons('je')
    fireEvent.paste(field('Amount'), { clipboardData: { getData: () => pasted, files: [] } })
    expect(valueOf('Amount')).toBe(amount)
    expect(getDefaultStore().get(statusAtom)?.text).toBe(amount === '50' ? `No amount: ${pasted}` : undefined)
  })

  it('shows a change by somebody else, and can be sent, also where no screen shows the record (reliability 18)', async () => {
    const coupon = wireCoupon({ id: 5, code: 'SAVE50' })
    const theirs = wireCoupon({ id: 5, code: 'SAVE50', amount: 70, version: 2 })
    serve({
      'GET capabilities/': { search: true, logout: true, filters: { coupons: ['id:'] } },
      'GET search/': { results: [{ noun: 'coupon', record: coupon, match: 'exact' }] },
      'GET coupons/': wirePage([coupon]),
      [changed]: ({ body }) =>
        JSON.stringify(body).includes('"version":2') ? theirs : refuse(409, 'It was changed.'),
    })
    const { user } = renderApp({ path: '/staff' })
    await user.keyboard('{Control>}k{/Control}edit save50')
    await user.click(await screen.findByRole('option', { name: /^Edit coupon SAVE50/ }))
    await screen.findByRole('dialog', { name: 'Edit coupon' })
    serve({ 'GET coupons/': wirePage([theirs]) })
    await user.type(field('Amount'), '5')
    await user.click(button('Continue'))
    await waitFor(() => expect(field('Amount').title).toBe('Changed meanwhile: 70'))
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(changed).at(-1)?.body).toMatchObject({ amount: 505, version: 2 })
    expect(callsTo('GET coupons/').at(-1)?.query).toMatchObject({ filter: 'id:5' })
  })

  it('shows a record as the palette has found it, not as a list had it that was left before (reliability 18)', async () => {
    const user = await coupons()
    await user.keyboard('{Escape}')
    act(() => navigate('/staff'))
    await screen.findByText('No staff users to display')
    const theirs = wireCoupon({ id: 5, code: 'SAVE50', amount: 70, version: 2 })
    act(() => getDefaultStore().set(capabilitiesAtom, (given) => ({ ...given, search: true })))
    serve({ 'GET search/': { results: [{ noun: 'coupon', record: theirs, match: 'exact' }] } })
    await user.keyboard('{Control>}k{/Control}edit save50')
    await user.click(await screen.findByRole('option', { name: /^Edit coupon SAVE50/ }))
    await screen.findByRole('dialog', { name: 'Edit coupon' })
    expect(valueOf('Amount')).toBe('70')
  })

  it('cannot be dismissed by clicking outside (S2.u.5)', async () => {
    const user = await coupons()
    const backdrop = dialog()?.previousElementSibling
    if (!backdrop) throw new Error('There is no backdrop.')
    await user.click(backdrop)
    expect(dialog()).toBeTruthy()
  })

  it('closes with Escape and with its close control, and returns the focus (S2.u.3)', async () => {
    serve({ 'GET coupons/': wirePage([]) })
    const { user } = renderApp({ path: '/coupons' })
    await screen.findByText('No Invites to display')
    await user.click(button('Create coupon'))
    await user.keyboard('{Escape}')
    expect(dialog()).toBeNull()
    expect(document.activeElement).toBe(button('Create coupon'))
    await user.click(button('Create coupon'))
    await user.click(button('Close'))
    expect(dialog()).toBeNull()
  })

  it('has no accessibility violations with an invalid field', async () => {
    serve({ [created]: () => refuseFields({ amount: ['must be number'] }) })
    const user = await coupons()
    await user.click(button('Continue'))
    await waitFor(() => expect(field('Amount').getAttribute('aria-invalid')).toBe('true'))
    const { violations } = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})

describe('a draft', () => {
  it('is restored after Escape; until then the button that opens the form says that it is kept (R2)', async () => {
    const user = await coupons()
    await user.type(field('Code'), 'HALF')
    await user.keyboard('{Escape}')
    expect(button('Create coupon').title).toBe('A draft is kept')
    await user.keyboard('n')
    expect(valueOf('Code')).toBe('HALF')
  })

  it('is kept for each record separately (R2)', async () => {
    const user = await coupons()
    await user.type(field('Code'), 'HALF')
    await user.keyboard('{Escape}je')
    expect(valueOf('Code')).toBe('SAVE50')
    await user.type(field('Code'), '0')
    await user.keyboard('{Escape}')
    expect(button('Edit coupon SAVE50').title).toBe('A draft is kept')
    await user.keyboard('n')
    expect(valueOf('Code')).toBe('HALF')
  })

  it('is deleted by Discard draft, which focuses the first field (R2)', async () => {
    const user = await coupons()
    expect(screen.queryByRole('button', { name: 'Discard draft' })).toBeNull()
    await user.type(field('Code'), 'HALF')
    await user.click(button('Discard draft'))
    expect(valueOf('Code')).toBe('')
    expect(document.activeElement).toBe(field('Code'))
    expect(opener('Create coupon').title).toBe('')
  })

  it('is dropped when all fields equal the record again', async () => {
    const user = await coupons('je')
    await user.type(field('Code'), '0')
    expect(button('Discard draft')).toBeTruthy()
    await user.type(field('Code'), '{Backspace}')
    expect(screen.queryByRole('button', { name: 'Discard draft' })).toBeNull()
  })

  it.each([
    ['stored', () => ({})],
    ['refused', () => refuseFields({ amount: ['must be number'] })],
  ])(
    'that was changed in another tab meanwhile is left as it is when the earlier one is %s',
    async (how, answer) => {
      const reply = hold()
      serve({ 'POST coupons/create/': reply.answer })
      const user = await coupons()
      await user.type(field('Code'), 'HALF')
      await user.click(button('Continue'))
      await waitFor(() => expect(callsTo('POST coupons/create/')).toHaveLength(1))
      const { draftsAtom, keepDraft } = await import('../../../src/state/drafts.ts')
      const drafts = () => [...getDefaultStore().get(draftsAtom)]
      const [[id, draft] = []] = drafts()
      if (!id || !draft) throw new Error('There is no draft.')
      const typed = { ...draft, values: { ...draft.values, code: 'HALFWAY' }, key: 'key-of-another-tab' }
      keepDraft(id, typed)
      reply.give(answer())
      await waitFor(() => expect(activity()).toHaveLength(1))
      // When the earlier one is stored, what was typed meanwhile is another record, and no repetition of it.
      expect(drafts()).toEqual([[id, how === 'stored' ? { ...typed, sent: undefined } : typed]])
    },
  )

  it('survives a 401 during saving (reliability 25)', async () => {
    serve({ 'POST coupons/create/': () => refuse(401) })
    const user = await coupons()
    await user.type(field('Code'), 'HALF')
    await user.click(button('Continue'))
    await waitFor(() => expect(address()).toBe('/login'))
    expect(dialog()).toBeNull()
    const { startSession } = await import('../../../src/state/session.ts')
    startSession({ token: 'another', email: 'asha@twende.test' })
    navigate('/coupons')
    await screen.findByRole('grid')
    expect(button('Create coupon').title).toBe('A draft is kept')
  })
})

describe('the promo code form', () => {
  const created = 'POST promo-code/create/'
  const searched = 'GET customers/'
  const amina = wireCustomer({ id: 7, fullname: 'Amina Yusuf', phone_number: '254712345678' })
  const namesake = wireCustomer({ id: 8, fullname: 'Amina Yusuf', phone_number: '254700000008' })

  it('has the type Internal by default, and External as the only other choice (S4.9, S5.4, S9.12)', async () => {
    await promos()
    expect(screen.getByRole('combobox', { name: 'Type' })).toHaveProperty('value', 'Internal')
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Internal',
      'External',
    ])
  })

  it('cannot be sent before a user is chosen; the picker works by keyboard and shows numbers beside equal names (S5.4)', async () => {
    serve({ [searched]: wirePage([amina, namesake]), [created]: {} })
    const user = await promos()
    expect(button('Continue')).toHaveProperty('disabled', true)
    expect(button('Continue').title).toBe('Choose a user first')
    const reason = screen.getByText('Choose a user first')
    expect(button('Continue').getAttribute('aria-describedby')).toBe(reason.id)
    const picker = screen.getByRole('button', { name: /Select user\.\.\./ })
    picker.focus()
    await user.keyboard('{Enter}')
    const search = await screen.findByPlaceholderText('Search user...')
    await waitFor(() => expect(document.activeElement).toBe(search))
    const options = await within(await screen.findByRole('listbox')).findAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'Amina Yusuf+254712345678',
      'Amina Yusuf+254700000008',
    ])
    await user.keyboard('{ArrowDown}{Enter}')
    expect(screen.getByRole('button', { name: /^User/ }).textContent).toBe('Amina Yusuf+254700000008')
    expect(button('Continue').title).toBe('')
    await user.click(button('Continue'))
    await waitFor(() => expect(callsTo(created)).toHaveLength(1))
    expect(callsTo(created)[0]?.body).toMatchObject({ user: 8, promo_type: 'Internal' })
  })

  it('searches page 1 once, half a second after the last key (S5.4, S7.34)', async () => {
    serve({ [searched]: wirePage([amina]) })
    const user = await promos()
    await user.click(screen.getByRole('button', { name: /Select user/ }))
    await screen.findByRole('listbox')
    await waitFor(() => expect(callsTo(searched)).toHaveLength(1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const type = (value: string) =>
      fireEvent.change(screen.getByPlaceholderText('Search user...'), { target: { value } })
    const pass = (time: number) =>
      act(async () => {
        vi.advanceTimersByTime(time)
        // A search that has begun sends its request meanwhile.
        for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
      })
    for (const text of ['a', 'am', 'ami']) {
      type(text)
      await pass(499)
      expect(callsTo(searched)).toHaveLength(1)
    }
    await pass(1)
    expect(callsTo(searched)).toHaveLength(2)
    await pass(5_000)
    expect(callsTo(searched)).toHaveLength(2)
    expect(callsTo(searched)[1]?.query).toMatchObject({ page: '1', s: 'ami' })
  })

  it('shows results only for their own query, says when no user is found, and offers Retry after a failure', async () => {
    const late = hold()
    serve({
      [searched]: ({ query }: { query: Record<string, string> }) =>
        query['s'] === 'a' ? late.answer() : query['s'] === 'ab' ? wirePage([]) : refuse(400),
    })
    const user = await promos()
    await user.click(screen.getByRole('button', { name: /Select user/ }))
    const search = await screen.findByPlaceholderText('Search user...')
    const retry = await screen.findByRole('button', { name: 'Retry' })
    serve({ [searched]: wirePage([amina]) })
    await user.click(retry)
    expect(await screen.findByRole('option', { name: /Amina/ })).toBeTruthy()
    serve({
      [searched]: ({ query }: { query: Record<string, string> }) =>
        query['s'] === 'a' ? late.answer() : wirePage([]),
    })
    await user.type(search, 'a')
    expect(screen.queryByRole('option', { name: /Amina/ })).toBeNull()
    await waitFor(() => expect(callsTo(searched).at(-1)?.query['s']).toBe('a'))
    await user.type(search, 'b')
    expect(await screen.findByText('No users found.')).toBeTruthy()
    late.give(wirePage([amina]))
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('option', { name: /Amina/ })).toBeNull()
    expect(button('Continue')).toHaveProperty('disabled', true)
  })

  it('has no user field when editing, and sends no user (S2.q.4, S7.33)', async () => {
    serve({ 'POST promo-codes/:id/update/': {} })
    const user = await promos('je')
    expect(screen.queryByText('User', { selector: 'label' })).toBeNull()
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo('POST promo-codes/:id/update/')[0]?.body).toEqual({
      code: 'KARIBU100',
      title: 'Welcome',
      description: 'For a first ride',
      amount: 100,
      valid_till: '2099-12-31',
      promo_type: 'Internal',
      version: 1,
    })
  })
})

describe('each choice of a field is a command', () => {
  const type = () => screen.getByLabelText<HTMLSelectElement>('Type').value
  const run = async (user: Awaited<ReturnType<typeof promos>>, typed: string, title: string) => {
    await user.keyboard(`{Control>}k{/Control}${typed}`)
    await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain(title))
    await user.keyboard('{Enter}')
  }

  it('which opens the form of a new record with it chosen', async () => {
    const user = await promos()
    await user.keyboard('{Escape}')
    await run(user, 'new external promo', 'Create promo code of type External')
    expect(screen.getByRole('dialog', { name: 'Create promo code' })).toBeTruthy()
    expect(type()).toBe('External')
  })

  it('which shows a form that is being saved as it is', async () => {
    const reply = hold()
    serve({ 'GET customers/': wirePage([wireCustomer({ id: 7 })]), 'POST promo-code/create/': reply.answer })
    const user = await promos()
    await user.click(screen.getByRole('button', { name: /Select user/ }))
    await user.click(await within(await screen.findByRole('listbox')).findByRole('option'))
    await user.type(field('Code'), 'FIRST')
    await user.click(button('Continue'))
    await user.keyboard('{Escape}')
    await run(user, 'new external promo', 'Create promo code of type External')
    expect([type(), valueOf('Code')]).toEqual(['Internal', 'FIRST'])
    expect(button('Processing...')).toBeTruthy()
    reply.give({})
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo('POST promo-code/create/')[0]?.body).toMatchObject({ promo_type: 'Internal' })
  })

  it('which opens the form of a record that has another one, and sends nothing by itself', async () => {
    serve({ 'POST promo-codes/:id/update/': {} })
    const user = await promos()
    await user.keyboard('{Escape}j')
    await run(user, 'type external', 'Edit promo code KARIBU100: type External')
    expect(screen.getByRole('dialog', { name: 'Edit promo code' })).toBeTruthy()
    expect(type()).toBe('External')
    expect(callsTo('POST promo-codes/:id/update/')).toEqual([])
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(callsTo('POST promo-codes/:id/update/')[0]?.body).toMatchObject({ promo_type: 'External' })
  })
})

describe('the blog form', () => {
  it('is sent by Ctrl+Enter in its text area, but not by AltGr+Enter, which Windows reports with Ctrl', async () => {
    serve({ 'POST blog/create/': {} })
    await blogs()
    const enter = { key: 'Enter', code: 'Enter', ctrlKey: true }
    fireEvent.keyDown(field('Content'), { ...enter, altKey: true, modifierAltGraph: true })
    expect(button('Continue')).toBeTruthy()
    fireEvent.keyDown(field('Content'), enter)
    expect(button('Processing...')).toBeTruthy()
    await waitFor(() => expect(callsTo('POST blog/create/')).toHaveLength(1))
  })

  const created = 'POST blog/create/'
  /** Returns whether the browser pastes the text, if there is one. */
  const paste = (file: File, text = '') =>
    fireEvent.paste(field('Content'), { clipboardData: { files: [file], getData: () => text } })
  const footer = () => button0('Continue').closest('footer')
  const button0 = (name: string) => screen.getByRole('button', { name, hidden: true })

  it('uploads its image when it is picked, and hides the footer during the upload (S2.o.5, S7.37)', async () => {
    serve({ [created]: {} })
    const user = await blogs()
    expect(field('Cover image')).toHaveProperty('accept', 'image/*')
    expect(screen.getByText('PNG, JPG, GIF up to 10MB')).toBeTruthy()
    await user.upload(field('Cover image'), picture)
    expect(screen.getByAltText('Preview of photo.png')).toBeTruthy()
    expect(footer()?.dataset['hidden']).toBe('true')
    const upload = await begun(1)
    expect(upload.address).toMatch(/^\/v0\/b\/oms\/o\?name=uploads%2F[\w-]{36}-photo\.png$/)
    expect(upload.headers['authorization']).toBe('Firebase token-of-this-session')
    upload.answer(200)
    await waitFor(() => expect(footer()?.dataset['hidden']).toBe('false'))
    expect(screen.getByAltText('Preview').getAttribute('src')).toBe(upload.url)
    expect(screen.getByText('photo.png is uploaded')).toBeTruthy()
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(created)[0]?.body).toMatchObject({ image: upload.url })
  })

  it('shows and announces the progress of an upload, which can be cancelled (S2.o.5)', async () => {
    const user = await blogs()
    await user.upload(field('Cover image'), largePicture)
    const upload = await begun(1)
    await waitFor(() => expect(upload.headers['x-goog-upload-protocol']).toBe('resumable'))
    await waitFor(() => {
      upload.progress(0.5)
      expect(screen.getByRole('progressbar', { name: 'Upload of large.png' })).toHaveProperty('value', 0.5)
    })
    expect(screen.getByText('50% of 400 KB')).toBeTruthy()
    expect(screen.getByText('Upload of large.png: 50%').getAttribute('role')).toBe('status')
    button('Cancel').focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByAltText(/Preview/)).toBeNull())
    expect(upload.isAborted).toBe(true)
    expect(activity()).toEqual([])
    expect(document.activeElement).toBe(field('Cover image'))
  })

  it('has its earlier image again when the upload of another one is cancelled (R2, S2.o.5)', async () => {
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    const upload = await begun(1)
    upload.answer(200)
    const shown = () => screen.queryByAltText('Preview')?.getAttribute('src')
    await waitFor(() => expect(shown()).toBe(upload.url))
    await user.upload(field('Cover image'), largePicture)
    await begun(2)
    await user.click(button('Cancel'))
    await waitFor(() => expect(shown()).toBe(upload.url))
  })

  it('has no image again when it was removed before the upload that is cancelled', async () => {
    const user = await blogs('je')
    await user.click(button('Remove image'))
    await user.upload(field('Cover image'), largePicture)
    await begun(1)
    await user.click(button('Cancel'))
    await waitFor(() => expect(screen.queryByAltText(/^Preview/)).toBeNull())
  })

  it('says that an upload waits for the network, then uploads when it is back (S9.13)', async () => {
    await blogs()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      fireEvent.change(field('Cover image'), { target: { files: [picture] } })
      const upload = await begun(1)
      upload.lose()
      await vi.advanceTimersByTimeAsync(5000)
      expect(await screen.findByText('Waiting for the network…')).toBeTruthy()
      expect(screen.getByText('Upload of photo.png: waiting for the network')).toBeTruthy()
      const again = await begun(2)
      again.answer(200)
      await waitFor(() => expect(screen.getByAltText('Preview').getAttribute('src')).toBe(again.url))
    } finally {
      vi.useRealTimers()
    }
  })

  it('repeats a lost upload at once when the network is back (S9.13)', async () => {
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    const upload = await begun(1)
    upload.lose()
    vi.useFakeTimers()
    try {
      window.dispatchEvent(new Event('online'))
      await vi.advanceTimersByTimeAsync(100)
      expect(uploads).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
    uploads[1]?.answer(200)
    await waitFor(() => expect(screen.getByAltText('Preview').getAttribute('src')).toBe(uploads[1]?.url))
  })

  it('empties the image field with its remove button (S2.o.5)', async () => {
    serve({ 'POST blogs/:id/update/': {} })
    const user = await blogs('je')
    await user.click(button('Remove image'))
    expect(screen.queryByAltText('Preview')).toBeNull()
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo('POST blogs/:id/update/')[0]?.body).toMatchObject({ image: '' })
  })

  it('takes dropped and pasted images, but no other files (S5.3)', async () => {
    const user = await blogs()
    const form = screen.getByRole('dialog').querySelector('form')
    if (!form) throw new Error('There is no form.')
    const pdf = new File(['x'], 'notes.pdf', { type: 'application/pdf' })
    fireEvent.drop(form, { dataTransfer: { files: [pdf] } })
    expect(screen.getByText('notes.pdf is no image')).toBeTruthy()
    expect(uploads).toHaveLength(0)
    fireEvent.drop(form, { dataTransfer: { files: [picture] } })
    await begun(1)
    await user.click(button('Cancel'))
    await waitFor(() => expect(screen.queryByAltText(/Preview/)).toBeNull())
    paste(picture)
    await begun(2)
    // A second image is ignored during an upload.
    paste(largePicture)
    expect(screen.getByAltText('Preview of photo.png')).toBeTruthy()
    await user.click(button('Cancel'))
    await waitFor(() => expect(screen.queryByAltText(/Preview/)).toBeNull())
  })

  it('leaves copied text to the text field, although Office programs copy a picture of it too', async () => {
    await blogs()
    expect(paste(new File(['cells'], 'image.png', { type: 'image/png' }), 'Karura\t500')).toBe(true)
    expect(screen.queryByText('Keeping image.png…')).toBeNull()
    // The Finder copies the name of a file as text.
    expect(paste(picture, 'photo.png')).toBe(false)
    await begun(1)
  })

  it('keeps the browser from opening a file that is dropped beside the form', async () => {
    await blogs()
    const title = screen.getByRole('heading', { name: 'Create Blog' })
    expect(fireEvent.drop(title, { dataTransfer: { files: [picture] } })).toBe(false)
    expect(uploads).toHaveLength(0)
  })

  it('offers to retry a failed upload, naming the file; only the activity shows the error code (S8.11, S8.14, R6)', async () => {
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    ;(await begun(1)).answer(402)
    await user.click(await screen.findByRole('button', { name: 'Retry upload of photo.png' }))
    expect(document.activeElement).toBe(field('Cover image'))
    expect(getDefaultStore().get(activityAtom)[0]).toMatchObject({
      what: 'Upload photo.png',
      outcome: 'failed',
      detail: 'storage/quota-exceeded 402',
    })
    expect(document.body.textContent).not.toMatch(/storage|quota/)
    const again = await begun(2)
    again.answer(200)
    await waitFor(() => expect(screen.getByAltText('Preview').getAttribute('src')).toBe(again.url))
    expect(toasts()).toEqual([])
  })

  it.each([
    [413, 'large.png is too large to be stored: 400 KB'],
    [415, 'large.png is no picture that can be stored'],
  ])('says why a picture was refused with %s, until another picture is picked', async (status, note) => {
    const user = await blogs()
    await user.upload(field('Cover image'), largePicture)
    ;(await begun(1)).answer(status)
    expect((await screen.findAllByText(note)).map(({ role }) => role)).toContain('status')
    expect(field('Cover image').getAttribute('aria-invalid')).toBe('true')
    await user.keyboard('{Escape}n')
    expect(screen.getAllByText(note).map(({ role }) => role)).toContain('status')
    await user.upload(field('Cover image'), picture)
    expect(screen.queryByText(note)).toBeNull()
    ;(await begun(2)).answer(200)
    await screen.findByText('photo.png is uploaded')
  })

  it('says so when the picked file can no longer be read', async () => {
    const user = await blogs()
    const gone = new File(['x'], 'gone.png', { type: 'image/png' })
    vi.spyOn(gone, 'slice').mockReturnValue(
      Object.assign(new Blob(), {
        arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')),
      }),
    )
    await user.upload(field('Cover image'), gone)
    expect(await screen.findAllByText('gone.png cannot be read any more: choose it again')).toBeTruthy()
    expect(uploads).toHaveLength(0)
  })

  it('ends the session when an upload is answered with 401, and keeps the picture in the draft (reliability 25)', async () => {
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    ;(await begun(1)).answer(401)
    await waitFor(() => expect(address()).toBe('/login'))
    const { startSession } = await import('../../../src/state/session.ts')
    startSession({ token: 'another', email: 'asha@twende.test' })
    navigate('/blogs')
    await screen.findAllByRole('button', { name: 'Create Blog' })
    await user.keyboard('n')
    await user.click(await screen.findByRole('button', { name: 'Retry upload of photo.png' }))
    const again = await begun(2)
    expect(again.headers['authorization']).toBe('Firebase another')
    again.answer(200)
    await screen.findByText('photo.png is uploaded')
  })

  it('aborts an upload when the session ends, and keeps the picture in the draft (R2)', async () => {
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    const upload = await begun(1)
    const { endSession, startSession } = await import('../../../src/state/session.ts')
    endSession()
    await waitFor(() => expect(upload.isAborted).toBe(true))
    startSession({ token: 'another', email: 'asha@twende.test' })
    navigate('/blogs')
    await screen.findAllByRole('button', { name: 'Create Blog' })
    await user.keyboard('n')
    expect(await screen.findByRole('button', { name: 'Retry upload of photo.png' })).toBeTruthy()
    expect(activity()).toEqual([])
  })

  it('uploads to the storage of the configured Firebase project, without our token (S6.1, S7.37)', async () => {
    const firebase = { storageBucket: 'twende.firebasestorage.app', apiKey: 'k', projectId: 'twende' }
    getDefaultStore().set(configAtom, (config) => ({
      ...config,
      firebase,
      apiHost: 'https://api.example.com',
    }))
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    const upload = await begun(1)
    expect(upload.origin).toBe('https://firebasestorage.googleapis.com')
    expect(upload.address).toMatch(/^\/v0\/b\/twende\.firebasestorage\.app\/o\?name=uploads%2F/)
    expect(upload.headers['authorization']).toBeUndefined()
    upload.answer(200)
    await waitFor(() => expect(screen.getByAltText('Preview').getAttribute('src')).toBe(upload.url))
    expect(upload.url).toMatch(/^https:/)
  })

  it('does not upload to our own storage when the token belongs to another host (rulings, session)', async () => {
    getDefaultStore().set(configAtom, (config) => ({ ...config, apiHost: 'https://api.example.com' }))
    const user = await blogs()
    await user.upload(field('Cover image'), picture)
    await screen.findByRole('button', { name: 'Retry upload of photo.png' })
    expect(uploads).toHaveLength(0)
    expect(getDefaultStore().get(activityAtom)[0]?.detail).toBe('storage/no-default-bucket')
  })

  it('closes after a failure too, without a message, and keeps the draft with its image (S4.8, S8.11, R2)', async () => {
    serve({ [created]: () => refuse(500) })
    const user = await blogs()
    await user.type(field('Title'), 'Half')
    await user.upload(field('Cover image'), picture)
    ;(await begun(1)).answer(403)
    await waitFor(() => expect(footer()?.dataset['hidden']).toBe('false'))
    expect(toasts()).toEqual([])
    await user.click(button('Continue'))
    ;(await begun(2)).answer(200)
    await waitFor(() => expect(dialog()).toBeNull())
    expect(toasts()).toEqual([])
    await user.keyboard('n')
    expect(valueOf('Title')).toBe('Half')
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(uploads).toHaveLength(2)
    expect(activity().map(([what, outcome]) => `${what} ${outcome}`)).toEqual([
      'Create Blog Half failed',
      'Create Blog Half failed',
      'Upload photo.png failed',
    ])
  })
})

describe('the attraction form', () => {
  const created = 'POST attraction/create/oms/'
  const changed = 'POST attractions/all/:id/'
  const place = { placeName: 'Karura Forest', detail: 'Nairobi', lat: -1.2345, lng: 36.8, credit: 'GeoNames' }

  const choosePlace = async (user: Awaited<ReturnType<typeof attractions>>) => {
    await user.type(field('Location'), 'karu')
    await user.click(await screen.findByRole('option', { name: /Karura/ }))
  }

  it('requires a chosen location; other typed text reverts to the last choice (S5.2)', async () => {
    serve({ 'GET places/': { results: [place] }, [created]: {} })
    const user = await attractions()
    await user.click(button('Save'))
    expect(callsTo(created)).toHaveLength(0)
    await choosePlace(user)
    expect(screen.getByText('-1.234500, 36.800000')).toBeTruthy()
    await user.type(field('Location'), ' and more')
    await user.tab()
    expect(valueOf('Location')).toBe('Karura Forest')
  })

  it('names the sources of the places it suggests', async () => {
    serve({ 'GET places/': { results: [place] } })
    const user = await attractions()
    await user.type(field('Location'), 'karu')
    expect(await screen.findByText('GeoNames')).toBeTruthy()
  })

  it('uploads at Save, sends six decimals, shows the message, and closes 2 seconds later (S2.n.4, S2.n.5, S8.7)', async () => {
    const reply = hold()
    serve({ 'GET places/': { results: [place] }, [created]: reply.answer })
    const user = await attractions()
    await user.type(field('Name'), 'Karura')
    await choosePlace(user)
    await user.upload(field('Cover photo'), picture)
    expect(uploads).toHaveLength(0)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      fireEvent.click(button('Save'))
      expect(await screen.findByRole('button', { name: 'Uploading image...' })).toBeTruthy()
      const upload = await begun(1)
      expect(upload.address).toContain('name=files%2F')
      upload.answer(200)
      expect(await screen.findByRole('button', { name: 'Saving...' })).toBeTruthy()
      reply.give({})
      expect(await screen.findByText('Attraction added successfully')).toBeTruthy()
      expect(button('Save')).toBeTruthy()
      expect(valueOf('Name')).toBe('Karura')
      fireEvent.click(button('Save'))
      await vi.advanceTimersByTimeAsync(1500)
      expect(dialog()).toBeTruthy()
      await vi.advanceTimersByTimeAsync(600)
      await waitFor(() => expect(dialog()).toBeNull())
    } finally {
      vi.useRealTimers()
    }
    expect(callsTo(created).map(({ body }) => body)).toEqual([
      {
        name: 'Karura',
        description: '',
        location: { placeName: 'Karura Forest', lat: -1.2345, lng: 36.8 },
        lat: '-1.234500',
        lng: '36.800000',
        image: uploads[0]?.url,
      },
    ])
  })

  it('keeps the stored image when none is uploaded (S7.20)', async () => {
    serve({ [changed]: {} })
    const user = await attractions('je')
    await user.type(field('Name'), '!')
    await user.click(button('Save'))
    expect(await screen.findByText('Attraction updated successfully')).toBeTruthy()
    expect(callsTo(changed)[0]?.body).toMatchObject({ name: 'Giraffe Centre!', image: '/files/giraffe.png' })
  })

  it('offers to remove a picked image, which brings the stored one back, but never the stored one (S7.20)', async () => {
    const user = await attractions('je')
    expect(screen.queryByRole('button', { name: 'Remove image' })).toBeNull()
    await user.upload(field('Cover photo'), picture)
    await user.click(await screen.findByRole('button', { name: 'Remove image' }))
    expect(screen.getByAltText('Preview').getAttribute('src')).toBe('/files/giraffe.png')
    expect(screen.queryByRole('button', { name: 'Remove image' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Discard draft' })).toBeNull()
  })

  it('shows a toast when saving fails, and does not upload the image again (S8.6)', async () => {
    serve({ [changed]: () => refuse(500) })
    const user = await attractions('je')
    await user.upload(field('Cover photo'), picture)
    await user.click(button('Save'))
    ;(await begun(1)).answer(200)
    expect(await screen.findByText('Error occured during upload')).toBeTruthy()
    serve({ [changed]: {} })
    await user.click(button('Save'))
    expect(await screen.findByText('Attraction updated successfully')).toBeTruthy()
    expect(uploads).toHaveLength(1)
    const sent = callsTo(changed)
    expect(sent.length).toBeGreaterThan(1)
    for (const { body } of sent) expect(body).toMatchObject({ image: uploads[0]?.url })
  })

  it('shows the same toast when the upload fails (S8.6)', async () => {
    const user = await attractions('je')
    await user.upload(field('Cover photo'), picture)
    await user.click(button('Save'))
    ;(await begun(1)).answer(413)
    expect(await screen.findByText('Error occured during upload')).toBeTruthy()
    expect(getDefaultStore().get(activityAtom)[0]?.detail).toBe('storage/unknown 413')
    expect(screen.getAllByText('photo.png is too large to be stored: 1 KB')).toBeTruthy()
  })

  it('shows no message when an upload is cancelled, and keeps the picked image', async () => {
    const user = await attractions('je')
    await user.upload(field('Cover photo'), picture)
    await user.click(button('Save'))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy()
    expect(screen.getByAltText('Preview of photo.png')).toBeTruthy()
    expect(toasts()).toEqual([])
  })

  it('closes only by a press and release on the backdrop (S2.u.3)', async () => {
    const user = await attractions()
    const backdrop = dialog()?.previousElementSibling
    if (!backdrop) throw new Error('There is no backdrop.')
    await user.pointer([
      { keys: '[MouseLeft>]', target: field('Name') },
      { keys: '[/MouseLeft]', target: backdrop },
    ])
    expect(dialog()).toBeTruthy()
    await user.click(backdrop)
    expect(dialog()).toBeNull()
  })
})

describe('deleting', () => {
  it('a coupon sends an update, shows no message, and can be undone (S4.7, S8.11, R7)', async () => {
    const changed = 'POST coupons/:id/update/'
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, code: 'SAVE50' })]), [changed]: {} })
    const { user } = renderApp({ path: '/coupons' })
    await user.click(await screen.findByRole('button', { name: 'Delete coupon SAVE50' }))
    await waitFor(() => expect(callsTo('GET coupons/')).toHaveLength(2))
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(() => expect(callsTo(changed)).toHaveLength(2))
    expect(callsTo(changed).map(({ body }) => body)).toEqual([{ deleted: true }, { deleted: false }])
    expect(toasts()).toEqual([])
  })

  it('an attraction shows a toast with Undo, and on the detail screen leads back to the list (S8.7, R7)', async () => {
    serve({
      'GET attractions/all/:id/': wireAttraction({ id: 5 }),
      'GET attractions/all/': wirePage([]),
      'POST attractions/all/:id/': {},
    })
    const { user } = renderApp({ path: '/attractions/5' })
    await screen.findByRole('button', { name: /^Edit attraction/ })
    await user.keyboard('dd')
    expect(await screen.findByText('Attraction deleted successfully')).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/attractions'))
    await user.click(button('Undo'))
    expect(await screen.findByText('Attraction updated successfully')).toBeTruthy()
  })

  it.each([
    { what: 'a row', path: '/coupons', list: 'coupons/', change: 'coupons/:id/update/', wire: wireCoupon },
    { what: 'a card', path: '/blogs', list: 'blogs-adm/', change: 'blogs/:id/update/', wire: wireBlog },
  ])(
    '$what moves the focus to the next one, else to the last one, else to the empty list (S4.7, R5)',
    async ({ path, list, change, wire }) => {
      const names = ['First', 'Second', 'Third']
      let rows = names.map((name, at) => wire({ id: at + 1, code: name, title: name }))
      serve({
        [`GET ${list}`]: () => wirePage(rows),
        [`POST ${change}`]: ({ path: called }: { path: string }) => {
          rows = rows.filter(({ id }) => !called.includes(`/${id}/`))
          return {}
        },
      })
      const { user } = renderApp({ path })
      await screen.findByRole('button', { name: /^Delete .*Second$/ })
      const focusedIn = () => document.activeElement?.closest('tr,li')?.textContent
      await user.keyboard('jjdd')
      await waitFor(() => expect(focusedIn()).toContain('Third'))
      expect(screen.queryByText('Second')).toBeNull()
      await user.click(screen.getByRole('button', { name: /^Delete .*Third$/ }))
      await waitFor(() => expect(focusedIn()).toContain('First'))
      await user.keyboard('dd')
      await waitFor(() => expect(rows).toEqual([]))
      await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('region'))
    },
  )

  it('does not move the focus if it has left the deleted row meanwhile', async () => {
    const reply = hold()
    let rows = [wireAttraction({ id: 5, name: 'Giraffe Centre' }), wireAttraction({ id: 6, name: 'Karura' })]
    serve({ 'GET attractions/all/': () => wirePage(rows), 'POST attractions/all/:id/': reply.answer })
    const { user } = renderApp({ path: '/attractions' })
    await user.click(await screen.findByRole('button', { name: 'Delete attraction Giraffe Centre' }))
    await user.keyboard('/')
    rows = rows.slice(1)
    reply.give({})
    await waitFor(() => expect(screen.queryByText('Giraffe Centre')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  })
})
