import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { capabilitiesAskedAtom } from '../../src/api/config.ts'
import { getDefaultStore } from 'jotai'
import { disk } from '../support/indexed-db.ts'
import { callsTo, hold, lose, refuse, refuseFields, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wirePage } from '../support/wire.ts'

const here = {
  ...{ id: 'h'.repeat(22), browser: 'Firefox 143 on Windows', address: '10.1.2.3', current: true },
  ...{ created_at: '2025-11-03T07:40:00Z', used_at: '2025-11-03T08:40:00Z' },
}
const phone = { ...here, id: 'p'.repeat(22), browser: 'Chrome 141 on Android', current: false }
const unknown = { ...phone, id: 'u'.repeat(22), browser: null, address: null }

function serveSessions(): { sessions: object[] } {
  const state: { sessions: object[] } = { sessions: [here, phone, unknown] }
  serve({
    'GET capabilities/': { sessions: true, logout: true },
    'GET staff-users/': wirePage([]),
    'GET sessions/': () => ({ results: state.sessions }),
  })
  return state
}

async function openMenu() {
  const { user } = renderApp({ path: '/staff' })
  await user.click(await screen.findByRole('button', { name: 'Account of asha@twende.test' }))
  return user
}

const choose = async (user: Awaited<ReturnType<typeof openMenu>>, typed: string, name: string) => {
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox'), typed)
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }))
}

/** Opens the form of a new password and fills it in. */
async function fillPasswords() {
  const { user } = renderApp({ path: '/staff' })
  await choose(user, 'change password', 'Change your password')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }))
  await user.type(dialog.getByLabelText('Current password'), 'old')
  await user.type(dialog.getByLabelText('New password'), 'nywila mpya 1')
  await user.type(dialog.getByLabelText('New password again'), 'nywila mpya 1')
  return { user, dialog }
}

describe('the account', () => {
  it('has no sessions and no password on a server that does not announce them', async () => {
    serve({ 'GET staff-users/': wirePage([]) })
    const user = await openMenu()
    await waitFor(() => expect(getDefaultStore().get(capabilitiesAskedAtom)).toBe(true))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent.trim())).toEqual([
      '',
      'Keyboard shortcuts ?',
      'Activity of this session G Y',
      'Logout',
    ])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'your sessions')
    expect(screen.queryByRole('option', { name: /^Your sessions/ })).toBeNull()
  })

  it('shows where the person is signed in, and ends one session or all others', async () => {
    const state = serveSessions()
    serve({
      'POST sessions/end/': ({ body }) => {
        state.sessions = JSON.stringify(body).includes('others') ? [here] : [here, unknown]
        return new Response(null, { status: 204 })
      },
    })
    const user = await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Your sessions' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Your sessions' }))
    const rows = async () => (await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(await rows()).toEqual([
      expect.stringMatching(/^Firefox 143 on Windows10\.1\.2\.3, last used .*Signed in .*This browser$/),
      expect.stringMatching(/^Chrome 141 on Android.*Sign out$/),
      expect.stringMatching(/^Unknown browserlast used/),
    ])
    await user.click(dialog.getByRole('button', { name: 'Sign out Chrome 141 on Android' }))
    await waitFor(async () => expect(await rows()).toHaveLength(2))
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('list')))
    await user.click(dialog.getByRole('button', { name: 'Sign out all others' }))
    await waitFor(async () => expect(await rows()).toHaveLength(1))
    expect(dialog.queryByRole('button', { name: 'Sign out all others' })).toBeNull()
    expect(callsTo('POST sessions/end/').map(({ body }) => body)).toEqual([
      { session: phone.id },
      { session: 'others' },
    ])
  })

  it('signs out everywhere from the palette after a question, and stays signed in if the server does not confirm it', async () => {
    serveSessions()
    serve({ 'POST sessions/end/': () => refuse(503) })
    const { user } = renderApp({ path: '/staff' })
    const ask = async () => {
      await choose(user, 'sign out everywhere', 'Sign out everywhere')
      const question = await screen.findByRole('alertdialog', {
        name: 'Sign out in all browsers, also in this one?',
      })
      await user.click(within(question).getByRole('button', { name: 'Sign out' }))
    }
    await ask()
    await waitFor(() => expect(toasts()).toEqual(['The server did not confirm: Sign out everywhere']))
    expect(callsTo('POST logout/')).toEqual([])
    serve({ 'POST sessions/end/': () => new Response(null, { status: 204 }) })
    await ask()
    await waitFor(() => expect(address()).toBe('/login'))
    expect(callsTo('POST logout/')).toHaveLength(1)
  })

  it('changes the password, says what is wrong with it, and stores none of it', async () => {
    serveSessions()
    serve({ 'POST password/': () => refuseFields({ current: ['The current password is wrong.'] }) })
    const { user } = renderApp({ path: '/staff' })
    await choose(user, 'change password', 'Change your password')
    const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }))
    const field = (name: string) => dialog.getByLabelText(name)
    await waitFor(() => expect(document.activeElement).toBe(field('Current password')))
    const send = async (current: string, password: string, again: string) => {
      for (const [name, value] of [
        ['Current password', current],
        ['New password', password],
        ['New password again', again],
      ] as const) {
        await user.clear(field(name))
        if (value) await user.type(field(name), value)
      }
      await user.keyboard('{Enter}')
    }
    const fault = async (text: string, name: string) => {
      expect((await dialog.findByRole('alert')).textContent).toBe(text)
      expect(document.activeElement).toBe(field(name))
    }
    await send('old', 'short', 'short')
    await fault('The password needs at least 12 characters.', 'New password')
    await send('old', 'nywila mpya 1', 'nywila mpya 2')
    await fault('The two new passwords differ.', 'New password again')
    expect(callsTo('POST password/')).toEqual([])
    await send('old', 'nywila mpya 1', 'nywila mpya 1')
    await waitFor(() => expect(callsTo('POST password/')).toHaveLength(1))
    await waitFor(() => fault('The current password is wrong.', 'Current password'))
    serve({ 'POST password/': () => refuse(429, 'Too many wrong passwords. Try again later.') })
    await user.keyboard('{Enter}')
    await waitFor(async () =>
      expect((await dialog.findByRole('alert')).textContent).toBe(
        'Too many wrong passwords. Try again later.',
      ),
    )
    const stored = () =>
      JSON.stringify([[...disk], ...[localStorage, sessionStorage].map((one) => Object.entries(one))])
    expect(stored()).not.toContain('nywila')
    serve({ 'POST password/': () => new Response(null, { status: 204 }) })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(toasts()).toEqual(['Password changed. Your other sessions have ended.']))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(callsTo('POST password/').at(-1)?.body).toEqual({ current: 'old', password: 'nywila mpya 1' })
    expect(stored()).not.toContain('nywila')
  })

  it.each([
    [
      'changed',
      () => new Response(null, { status: 204 }),
      'Password changed. Your other sessions have ended.',
    ],
    [
      'refused',
      () => refuseFields({ current: ['The current password is wrong.'] }),
      'The current password is wrong.',
    ],
  ])(
    'says that the password is %s when its dialog was closed before, and leaves another dialog open',
    async (_what, answer, text) => {
      serveSessions()
      const reply = hold()
      serve({ 'POST password/': reply.answer })
      const { user } = await fillPasswords()
      await user.keyboard('{Enter}')
      await waitFor(() => expect(callsTo('POST password/')).toHaveLength(1))
      await user.keyboard('{Escape}?')
      await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
      reply.give(answer())
      await waitFor(() => expect(toasts()).toEqual([text]))
      expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
    },
  )

  it('says that the password may have been changed after a lost reply or a 5xx', async () => {
    serveSessions()
    serve({ 'POST password/': lose })
    const { user, dialog } = await fillPasswords()
    const expectAlert = (text: string) =>
      waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(text))
    const advice = 'and the password may have been changed. Sign in with the new password to find out.'
    await user.keyboard('{Enter}')
    await expectAlert(`The server did not answer, ${advice}`)
    serve({ 'POST password/': () => refuse(502, 'Bad gateway') })
    await user.keyboard('{Enter}')
    await expectAlert(`The server failed, ${advice}`)
    expect(screen.queryByText('Password changed. Your other sessions have ended.')).toBeNull()
  })
})
