import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import { activityAtom } from '../../src/state/activity.ts'
import '../support/indexed-db.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { renderApp, toasts } from '../support/render-app.tsx'
import { wireBlog, wireCoupon, wireCustomer, wirePage, wirePromo } from '../support/wire.ts'

/** Blogs, coupons and promo codes: their forms validate nothing and show no messages. */
const screens = [
  {
    what: 'blog',
    path: '/blogs',
    list: 'GET blogs-adm/',
    created: 'POST blog/create/',
    changed: 'POST blogs/:id/update/',
    title: { create: 'Create Blog', edit: 'Edit Blog' },
    clauses: 'S2.o.1, S2.o.3',
    row: wireBlog({ id: 5, title: 'SAVE50' }),
    fields: ['Title', 'Sub title', 'Content', 'Cover image'],
    nothing: { title: '', sub_title: '', content: '', image: '' },
    staysOpen: false,
  },
  {
    what: 'coupon',
    path: '/coupons',
    list: 'GET coupons/',
    created: 'POST coupons/create/',
    changed: 'POST coupons/:id/update/',
    title: { create: 'Create coupon', edit: 'Edit coupon' },
    clauses: 'S2.p.1, S2.p.2',
    row: wireCoupon({ id: 5 }),
    fields: ['Code', 'Amount', 'Expiry date'],
    nothing: { code: '', amount: null, valid_till: null },
    staysOpen: true,
  },
  {
    what: 'promo code',
    path: '/promos',
    list: 'GET promo-codes/',
    created: 'POST promo-code/create/',
    changed: 'POST promo-codes/:id/update/',
    title: { create: 'Create promo code', edit: 'Edit promo code' },
    clauses: 'S2.q.1, S2.q.2',
    row: wirePromo({ id: 5, code: 'SAVE50' }),
    fields: ['Code', 'Title', 'Description', 'Amount', 'Expiry date', 'Type'],
    nothing: {
      code: '',
      title: '',
      description: '',
      amount: null,
      valid_till: null,
      promo_type: 'Internal',
      user: 7,
    },
    staysOpen: true,
  },
]

const dialog = () => screen.queryByRole('dialog')
const said = () => screen.getByRole('status', { name: 'Status', hidden: true }).textContent
const button = (name: string) => screen.getByRole('button', { name })
const activity = () =>
  getDefaultStore()
    .get(activityAtom)
    .map(({ what, outcome }) => `${what} ${outcome}`)
type User = ReturnType<typeof renderApp>['user']

async function open({ path, list, row, what }: (typeof screens)[number]): Promise<User> {
  serve({ [list]: wirePage([row]), 'GET customers/': wirePage([wireCustomer({ id: 7 })]) })
  const { user } = renderApp({ path })
  await screen.findByRole('button', { name: `Delete ${what} SAVE50` })
  return user
}

/** S5.4: a promo code needs a user. The other forms have no picker. */
async function chooseUser(user: User): Promise<void> {
  const picker = screen.queryByRole('button', { name: /Select user\.\.\./ })
  if (!picker) return
  await user.click(picker)
  await user.click(await screen.findByRole('option', { name: /Amina/ }))
}

describe.each(screens)('the forms and buttons of a $what', (given) => {
  const { what, title, clauses, list, created, changed, fields, nothing, staysOpen } = given

  it(`open forms for creating and editing, with their titles and fields (${clauses})`, async () => {
    const user = await open(given)
    await user.click(button(title.create))
    const labels = within(screen.getByRole('dialog', { name: title.create }))
    for (const name of fields) expect(labels.getByLabelText(name)).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.click(button(`Edit ${what} SAVE50`))
    expect(screen.getByRole('dialog', { name: title.edit })).toBeTruthy()
    for (const name of fields) expect(screen.getByLabelText(name)).toBeTruthy()
  })

  it('send empty fields too, without validating them (S5.3, S5.5, S7.26, S7.29, S7.32)', async () => {
    const reply = hold()
    const user = await open(given)
    serve({ [created]: reply.answer })
    await user.click(button(title.create))
    await chooseUser(user)
    await user.click(button('Continue'))
    expect(button('Processing...').getAttribute('aria-disabled')).toBe('true')
    reply.give({})
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(created).map(({ body }) => body)).toEqual([nothing])
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
    expect(toasts()).toEqual([])
    expect(said()).toBe(`Done: ${title.create}`)
  })

  it(`${staysOpen ? 'stay open' : 'close'} when creating or editing fails, without a message (S4.8, S8.11)`, async () => {
    const user = await open(given)
    serve({ [created]: () => refuse(400, 'Boom'), [changed]: () => refuse(400, 'Boom') })
    for (const [at, opener] of [title.create, `Edit ${what} SAVE50`].entries()) {
      await user.click(button(opener))
      await chooseUser(user)
      await user.click(button('Continue'))
      await waitFor(() => expect(activity()).toHaveLength(at + 1))
      await waitFor(() => expect(callsTo(list)).toHaveLength(at + 2))
      expect(dialog() !== null).toBe(staysOpen)
      if (staysOpen) expect(button('Continue')).toBeTruthy()
      expect(screen.queryByText(/Boom/)).toBeNull()
      expect(said()).toBe('')
      await user.keyboard('{Escape}')
    }
    expect(activity().every((entry) => entry.endsWith('failed'))).toBe(true)
    expect(toasts()).toEqual([])
  })

  it('take any answer body as a success, since none is specified (S7.39)', async () => {
    const user = await open(given)
    for (const answer of [new Response(null, { status: 204 }), new Response('<p>Saved</p>'), [], null]) {
      serve({ [changed]: () => answer })
      await user.click(button(`Edit ${what} SAVE50`))
      await user.click(button('Continue'))
      await waitFor(() => expect(dialog()).toBeNull())
    }
    expect(activity()).toHaveLength(4)
    expect(activity().every((entry) => entry.endsWith('done'))).toBe(true)
  })

  it('delete with an update, without a message; the record disappears with the reload of the list (S4.7, S8.11)', async () => {
    const reloaded = hold()
    const user = await open(given)
    serve({ [changed]: {}, [list]: reloaded.answer })
    await user.click(button(`Delete ${what} SAVE50`))
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
    expect(callsTo(changed).map(({ body }) => body)).toEqual([{ deleted: true }])
    expect(screen.getByText('SAVE50')).toBeTruthy()
    reloaded.give(wirePage([]))
    await waitFor(() => expect(screen.queryByText('SAVE50')).toBeNull())
    expect(toasts()).toEqual([])
    expect(said()).toBe(`Done: Delete ${what} SAVE50`)
    await user.click(button('Undo'))
    await waitFor(() => expect(callsTo(changed).at(-1)?.body).toEqual({ deleted: false }))
    await waitFor(() => expect(said()).toBe(`Undone: Delete ${what} SAVE50`))
    expect(toasts()).toEqual([])
  })

  it('show no message when deleting fails, only a fault mark (S8.11, R3)', async () => {
    const user = await open(given)
    serve({ [changed]: () => refuse(500, 'Boom') })
    await user.click(button(`Delete ${what} SAVE50`))
    expect(
      await screen.findByRole('img', { name: /^The last action on this (row|card) failed$/ }),
    ).toBeTruthy()
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
    expect(toasts()).toEqual([])
    expect(screen.getByText('SAVE50')).toBeTruthy()
  })
})

it.each([
  ['-5', '1999-01-01', { amount: -5, valid_till: '1999-01-01' }],
  ['0.001', '', { amount: 0.001, valid_till: null }],
])(
  'an amount of %s with the expiry date "%s" is sent without validation (S5.3, S5.5)',
  async (amount, till, sent) => {
    const [, coupon] = screens
    if (!coupon) throw new Error('The coupons screen is missing.')
    const user = await open(coupon)
    serve({ [coupon.created]: {} })
    await user.click(button('Create coupon'))
    await user.type(screen.getByLabelText('Amount'), amount)
    if (till) fireEvent.change(screen.getByLabelText('Expiry date'), { target: { value: till } })
    await user.click(button('Continue'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(callsTo(coupon.created)[0]?.body).toMatchObject(sent)
  },
)
