import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { say } from '../../../src/commands/status.ts'
import { settingsAtom } from '../../../src/state/settings.ts'
import { calls, callsTo, serve } from '../../support/network.ts'
import { address, renderApp, toasts } from '../../support/render-app.tsx'
import { wireCoupon, wireDriver, wireInvoice, wirePage } from '../../support/wire.ts'

const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })
const baraka = wireDriver({ id: 9, name: 'Baraka Mwangi' })
const line = () => screen.getByRole('status', { name: 'Status', hidden: true })
const said = () => line().textContent

async function openDrivers() {
  serve({
    'GET drivers/': wirePage([jo, amina, baraka]),
    'POST driver/:id/suspend/': { message: 'Rider suspended' },
    'POST driver/:id/unfreeze/': { message: 'Rider is back' },
  })
  const { user } = renderApp({ path: '/riders' })
  await screen.findByText('Jo Kamau')
  return user
}

describe('the status line', () => {
  it('shows a text until the next key, and again if the same is said again', async () => {
    const { user } = renderApp({ path: '/trips' })
    act(() => say('Copied 3 rows'))
    expect(said()).toBe('Copied 3 rows')
    await user.keyboard('{Shift}')
    expect(said()).toBe('Copied 3 rows')
    await user.keyboard('q')
    expect(said()).toBe('')
    act(() => say('Copied 3 rows'))
    expect(said()).toBe('Copied 3 rows')
  })

  it('clears itself after 6 seconds', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      renderApp({ path: '/trips' })
      act(() => say('Copied 3 rows'))
      act(() => void vi.advanceTimersByTime(5999))
      expect(said()).toBe('Copied 3 rows')
      act(() => void vi.advanceTimersByTime(1))
      expect(said()).toBe('')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is no toast, and says nothing of what succeeds', async () => {
    const user = await openDrivers()
    act(() => say('Copied 3 rows'))
    expect(toasts()).toEqual([])
    await user.keyboard('js')
    await screen.findByText('Rider suspended')
    expect(said()).toBe('')
  })
})

describe('a key that can do nothing here', () => {
  it.each([
    ['/trips', 's', 'Suspend the driver: no driver is focused'],
    ['/', 's', 'Suspend the driver: no driver is focused'],
    ['/riders', 's', 'Suspend the driver: no driver is focused'],
    ['/riders', 'ju', 'Unsuspend the driver: not possible for Jo Kamau'],
    ['/coupons', 'e', 'Edit the coupon: no coupon is focused'],
    ['/coupons', 'd', 'Delete the coupon: no coupon is focused'],
    ['/trips', 'n', 'Add attraction, Create Blog, Create coupon or Create promo code: not on this screen'],
    ['/', 'j', 'Next row: no list is on screen'],
    ['/riders', '[[', 'Previous page: this is the first page'],
    ['/riders', ']', 'Next page: this is the last page'],
    ['/', '/', 'Search this list: no list is on screen'],
    ['/trips', '.', "The focused row's commands: no row is focused"],
    ['/trips', 'z', 'Undo the last action: nothing was done that can be undone'],
    ['/trips', '{Control>}z{/Control}', 'Undo the last action: nothing was done that can be undone'],
    ['/trips', ',', 'Repeat the last action: nothing was done that can be repeated'],
    ['/trips', 'q', ''],
    ['/trips', 'gq', ''],
    ['/trips', '{Control>}p{/Control}', ''],
  ])('at %s: %s says %j', async (path, keys, text) => {
    serve({
      'GET drivers/': wirePage([jo, amina], { current_page_number: 1, total_pages: 1 }),
      'GET coupons/': wirePage([wireCoupon()]),
      'POST driver/:id/unfreeze/': {},
    })
    const { user } = renderApp({ path })
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull())
    await user.keyboard(keys)
    expect(said()).toBe(text)
  })

  it('says so once, and again after something else has happened', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('s')
    expect(said()).not.toBe('')
    await user.keyboard('s')
    expect(said()).toBe('')
    await user.keyboard('s')
    expect(said()).toBe('')
    await user.keyboard('qs')
    expect(said()).toBe('Suspend the driver: no driver is focused')
    await user.keyboard('s')
    await user.keyboard('gv')
    await screen.findByRole('heading', { name: 'Vehicles' })
    await user.keyboard('s')
    expect(said()).toBe('Suspend the driver: no driver is focused')
  })

  it('leaves the browser its own action', () => {
    renderApp({ path: '/' })
    expect(fireEvent.keyDown(document.body, { key: 'j', code: 'KeyJ' })).toBe(true)
    expect(fireEvent.keyDown(document.body, { key: 'z', code: 'KeyZ', ctrlKey: true })).toBe(true)
  })

  it('says nothing in a text field, in a dialog, and after single-letter keys are switched off', async () => {
    const user = await openDrivers()
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('s')
    expect(said()).toBe('')
    act(() => screen.getByRole('searchbox').blur())
    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    fireEvent.keyDown(document.body, { key: 's', code: 'KeyS' })
    expect(said()).toBe('')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialog.isConnected).toBe(false))
    act(() => getDefaultStore().set(settingsAtom, { singleKeys: false }))
    await user.keyboard('s')
    expect(said()).toBe('')
  })
})

describe('the comma', () => {
  it('repeats the last action on the focused row', async () => {
    const user = await openDrivers()
    await user.keyboard('js')
    await screen.findByText('Rider suspended')
    await user.keyboard('jj,')
    await waitFor(() => expect(callsTo('POST driver/:id/suspend/')).toHaveLength(2))
    expect(callsTo('POST driver/:id/suspend/').map(({ path }) => path)).toEqual([
      'driver/12/suspend/',
      'driver/9/suspend/',
    ])
  })

  it('repeats what was done with the mouse or through the palette', async () => {
    const user = await openDrivers()
    await user.click(screen.getByRole('button', { name: 'Suspend Jo Kamau' }))
    await screen.findByText('Rider suspended')
    await user.keyboard('jj,')
    await waitFor(() => expect(callsTo('POST driver/:id/suspend/')).toHaveLength(2))
    await user.keyboard('k{Control>}k{/Control}unsuspend{Enter}')
    await waitFor(() => expect(callsTo('POST driver/:id/unfreeze/')).toHaveLength(1))
  })

  it('says why if the row does not fit', async () => {
    const user = await openDrivers()
    await user.keyboard('js')
    await screen.findByText('Rider suspended')
    await user.keyboard('j,')
    expect(said()).toBe('Repeat the last action: suspend the driver: not possible for Amina Yusuf')
    expect(callsTo('POST driver/:id/suspend/')).toHaveLength(1)
  })

  it('does not repeat what cannot be undone', async () => {
    serve({
      'GET all-invoices/': wirePage([wireInvoice({ id: 1 }), wireInvoice({ id: 2 })]),
      'POST invoice/update/': { message: 'Invoice cleared' },
    })
    const { user } = renderApp({ path: '/invoices' })
    await screen.findAllByRole('button', { name: /^Clear invoice/ })
    await user.keyboard('jc{Enter}')
    await screen.findByText('Invoice cleared')
    await user.keyboard('j,')
    expect(said()).toBe('Repeat the last action: clear the invoice cannot be undone, so press C for each')
    expect(callsTo('POST invoice/update/')).toHaveLength(1)
  })
})

it('z undoes like Ctrl+Z (R7)', async () => {
  const user = await openDrivers()
  await user.keyboard('js')
  await screen.findByText('Rider suspended')
  await user.keyboard('z')
  expect(await screen.findByText('Rider is back')).toBeTruthy()
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    'driver/12/suspend/',
    'driver/12/unfreeze/',
  ])
})

describe('a sequence of keys', () => {
  const popover = () => screen.queryByLabelText('Keys that can follow')

  it('shows every command that can follow, with its key', async () => {
    const { user } = renderApp({ path: '/trips' })
    expect(popover()).toBeNull()
    await user.keyboard('g')
    const shown = within(screen.getByLabelText('Keys that can follow'))
    const pairs = shown
      .getAllByRole('term')
      .map((key) => [key.textContent, key.nextElementSibling?.textContent])
    expect(pairs).toEqual(
      expect.arrayContaining([
        ['V', 'Vehicles'],
        ['Y', 'Activity of this session'],
      ]),
    )
    expect(pairs).toHaveLength(15)
    await user.keyboard('v')
    expect(popover()).toBeNull()
    expect(address()).toBe('/vehicles')
  })

  it('ends with Escape, which does nothing else', async () => {
    const user = await openDrivers()
    await user.keyboard('jx')
    expect(screen.getByText('1 of 3 selected')).toBeTruthy()
    await user.keyboard('g{Escape}')
    expect(popover()).toBeNull()
    expect(screen.getByText('1 of 3 selected')).toBeTruthy()
    expect(said()).toBe('')
    await user.keyboard('{Escape}')
    expect(screen.queryByText('1 of 3 selected')).toBeNull()
    await user.keyboard('d')
    expect(address()).toBe('/riders')
  })

  it('ends with Escape also after the focus went into a text field', async () => {
    const user = await openDrivers()
    await user.keyboard('g')
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('{Escape}')
    expect(popover()).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  })
})

describe('after the third run of a command through the palette', () => {
  const viaPalette = '{Control>}k{/Control}reload what{Enter}'

  it('its key is said, once', async () => {
    const { user } = renderApp({ path: '/trips' })
    for (const text of ['', '', 'Reload what is on screen: press R', '', '']) {
      await user.keyboard(viaPalette)
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(said()).toBe(text)
    }
  })

  it('the changed key is said', async () => {
    const { user } = renderApp({ path: '/trips' })
    act(() => getDefaultStore().set(settingsAtom, { keys: { 'view.reload': 'q r' } }))
    for (let run = 0; run < 3; run++) await user.keyboard(viaPalette)
    expect(said()).toBe('Reload what is on screen: press Q then R')
  })

  it('nothing is said of a command without keys', async () => {
    const { user } = renderApp({ path: '/trips' })
    for (let run = 0; run < 4; run++) {
      await user.keyboard('{Control>}k{/Control}dark theme{Enter}')
      expect(getDefaultStore().get(settingsAtom).theme).toBe('dark')
      act(() => getDefaultStore().set(settingsAtom, { theme: 'light' }))
      expect(said()).toBe('')
    }
  })

  it.each(['{"view.reload":"2"}', '{"view.reload":2'])(
    'its key is said also if the stored counts were %s, which are not read',
    async (stored) => {
      localStorage.setItem('oms.runs', stored)
      const { user } = renderApp({ path: '/trips' })
      for (const text of ['', '', 'Reload what is on screen: press R']) {
        await user.keyboard(viaPalette)
        expect(said()).toBe(text)
      }
    },
  )
})
