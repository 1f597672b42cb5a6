import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { configAtom } from '../../src/api/config.ts'
import { draftId, keepDraft } from '../../src/state/drafts.ts'
import { navigate } from '../../src/state/location.ts'
import { endSession, sessionAtom, startSession } from '../../src/state/session.ts'
import '../support/indexed-db.ts'
import { calls, callsTo, hold, lose, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wirePage } from '../support/wire.ts'

const login = 'POST login/'
const store = getDefaultStore()
const email = () => screen.getByLabelText('Email')
const password = () => screen.getByLabelText('Password')
const submit = () => screen.getByRole('button', { name: /Submit|Sending/ })

function open() {
  const { user } = renderApp({ path: '/login', staff: null })
  const fill = async (address: string, secret: string) => {
    await user.type(email(), address)
    await user.type(password(), secret)
  }
  return { user, fill }
}

describe('the login page (S2.s.1)', () => {
  it('says what the product is, and has two required fields (S1.1, S5.1)', () => {
    open()
    expect(screen.getByText(/operations management system/)).toBeTruthy()
    expect(email()).toMatchObject({ type: 'email', required: true, autocomplete: 'username' })
    expect(password()).toMatchObject({ type: 'password', required: true, autocomplete: 'current-password' })
    expect(calls).toEqual([])
  })

  it('has its submit disabled while either field is empty (S2.s.2, S5.1)', async () => {
    const { user } = open()
    expect(submit()).toHaveProperty('disabled', true)
    await user.type(email(), 'asha@twende.test')
    expect(submit()).toHaveProperty('disabled', true)
    await user.type(password(), 'x')
    expect(submit()).toHaveProperty('disabled', false)
    await user.clear(email())
    expect(submit()).toHaveProperty('disabled', true)
  })

  it('notices fields that the browser has filled in (S2.s.2)', async () => {
    open()
    const fillIn = (field: HTMLElement, value: string) =>
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
    fillIn(email(), 'asha@twende.test')
    fillIn(password(), 'secret')
    await waitFor(() => expect(submit()).toHaveProperty('disabled', false))
    expect(password()).toHaveProperty('value', 'secret')
  })

  it('shows the demo login if one is configured', () => {
    const config = store.get(configAtom)
    store.set(configAtom, { ...config, demoLogin: { email: 'demo@twende.test', password: 'twende-demo' } })
    open()
    expect(screen.getByText('Demo: demo@twende.test / twende-demo')).toBeTruthy()
  })

  it('shows no demo login if none is configured', () => {
    open()
    expect(screen.queryByText(/Demo/)).toBeNull()
  })

  it('redirects to the home screen if there is a session, and replaces the history entry', async () => {
    const pushed = vi.spyOn(window.history, 'pushState')
    renderApp({ path: '/login' })
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeTruthy()
    expect(address()).toBe('/')
    expect(pushed.mock.calls.map(([, , to]) => to)).toEqual(['/login'])
  })
})

describe('signing in', () => {
  it('stores token and e-mail, shows the toast and opens the home screen (S4.2, S8.5, S3.19)', async () => {
    serve({ [login]: { token: 'fresh-token' } })
    const { user, fill } = open()
    await fill('asha@twende.test', 'secret')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Logged in successfully')).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeTruthy()
    expect(address()).toBe('/')
    expect(callsTo(login).map(({ body }) => body)).toEqual([
      { email: 'asha@twende.test', password: 'secret' },
    ])
    expect(Object.entries(sessionStorage)).toEqual(
      expect.arrayContaining([
        ['oms.session', '{"token":"fresh-token"}'],
        ['oms.staff', '{"email":"asha@twende.test"}'],
      ]),
    )
    expect(callsTo('GET analytics/')[0]?.headers.get('authorization')).toBe('Bearer fresh-token')
  })

  it('shows the drafts of the person, with whatever capitals the e-mail was typed (R2)', async () => {
    startSession({ token: 'earlier', email: 'asha@twende.test' })
    const values = { code: 'HALF', amount: '', valid_till: '' }
    keepDraft(draftId({ noun: 'coupon', id: 'new' }), { values, base: {}, key: 'key', errors: {} })
    endSession()
    serve({ [login]: { token: 'fresh-token' }, 'GET coupons/': wirePage([]) })
    const { user, fill } = open()
    await fill('Asha@Twende.test', 'secret')
    await user.keyboard('{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard' })
    act(() => navigate('/coupons'))
    expect((await screen.findByRole('button', { name: 'Create coupon' })).title).toBe('A draft is kept')
    expect(callsTo(login)[0]?.body).toMatchObject({ email: 'Asha@Twende.test' })
  })

  it('shows Sending..., and sends one request even if submitted again (S2.s.2)', async () => {
    const reply = hold()
    serve({ [login]: reply.answer })
    const { user, fill } = open()
    await fill('asha@twende.test', 'secret')
    await user.click(submit())
    expect(submit().textContent).toBe('Sending...')
    expect(submit()).toHaveProperty('disabled', true)
    await user.click(submit())
    await user.type(password(), '{Enter}')
    expect(callsTo(login)).toHaveLength(1)
    reply.give({ token: 'fresh-token' })
    await screen.findByRole('heading', { name: 'Dashboard' })
  })

  it.each<[string, () => unknown]>([
    ['the password is wrong', () => refuse(401, 'Wrong')],
    ['there were too many attempts', () => refuse(429, 'Slow down', { 'retry-after': '30' })],
    ['the server fails', () => refuse(500)],
    ['the network fails', lose],
    ['the answer holds no token', () => ({ token: '' })],
  ])('shows the same toast when %s, and keeps both fields (S8.4)', async (_what, answer) => {
    serve({ [login]: answer })
    const { user, fill } = open()
    await fill('asha@twende.test', 'secret')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Login failed!.Please try again.')).toBeTruthy()
    expect(screen.queryByText(/Wrong|Slow down/)).toBeNull()
    expect([email(), password()].map((field) => field.getAttribute('value'))).toEqual([
      'asha@twende.test',
      'secret',
    ])
    expect(submit()).toMatchObject({ textContent: 'Submit', disabled: false })
    expect(address()).toBe('/login')
    expect(store.get(sessionAtom)).toBeNull()
    expect(callsTo(login)).toHaveLength(1)
  })

  it('sends nothing with an invalid e-mail address (S5.1)', async () => {
    const { user, fill } = open()
    await fill('asha', 'secret')
    await user.click(submit())
    expect(callsTo(login)).toHaveLength(0)
    expect(email()).toMatchObject({ validity: { valid: false } })
  })

  it('keeps typed text while the form polls for fields that the browser filled in', async () => {
    const { user } = open()
    await user.type(email(), 'asha@')
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)))
    await user.type(email(), 'twende.test')
    expect(email()).toHaveProperty('value', 'asha@twende.test')
  })
})

it('the login page stops polling its fields after login', async () => {
  serve({ [login]: { token: 'fresh-token' } })
  const { fill } = open()
  const read = vi.spyOn(FormData.prototype, 'get')
  await waitFor(() => expect(read).toHaveBeenCalledWith('password'))
  await fill('asha@twende.test', 'secret')
  fireEvent.click(submit())
  await screen.findByRole('heading', { name: 'Dashboard' })
  read.mockClear()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(read).not.toHaveBeenCalled()
})
