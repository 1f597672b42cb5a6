import { act, screen, waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import { isRunnable } from '../../src/commands/command.ts'
import { contextAtom } from '../../src/commands/context.ts'
import { allNouns } from '../../src/commands/noun.ts'
import { dialogAtom } from '../../src/state/dialog.ts'
import { wantRow } from '../../src/state/wanted-row.ts'
import { commands } from '../../src/views/app.tsx'
import { serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { setViewport } from '../support/viewport.ts'
import {
  wireAttraction,
  wireBlog,
  wireCoupon,
  wireCustomer,
  wireDriver,
  wireInvoice,
  wirePage,
  wirePromo,
  wireSos,
} from '../support/wire.ts'

const store = getDefaultStore()

/** Three records of each noun that has commands, and the route of its list. `more` makes a command fit. */
const nouns: Record<string, { list: string; make: (id: number, more: object) => { id: number } }> = {
  driver: { list: 'drivers/', make: (id, more) => wireDriver({ id, ...more }) },
  customer: { list: 'customers/', make: (id, more) => ({ ...wireCustomer({ id }), ...more }) },
  invoice: { list: 'all-invoices/', make: (id, more) => wireInvoice({ id, paid: false, ...more }) },
  attraction: { list: 'attractions/all/', make: (id, more) => wireAttraction({ id, ...more }) },
  blog: { list: 'blogs-adm/', make: (id, more) => wireBlog({ id, ...more }) },
  coupon: { list: 'coupons/', make: (id, more) => wireCoupon({ id, ...more }) },
  sos: { list: 'sos-lists/', make: (id, more) => ({ ...wireSos(), id, ...more }) },
  promo: { list: 'promo-codes/', make: (id, more) => wirePromo({ id, ...more }) },
}
const rowsWith = (noun: string, more: object, ids = [31, 32, 33]) =>
  ids.map((id) => nouns[noun]?.make(id, more)).filter((row) => row !== undefined)

/** The index of the row or card that has the focus; -1 if none has it. */
const focusedRow = () => {
  const rows = [...document.querySelectorAll('tbody tr[data-index],main li[tabindex]')]
  return rows.findIndex((row) => row.contains(document.activeElement))
}
const rowCount = () => document.querySelectorAll('tbody tr[data-index],main li[tabindex]').length
const onScreen = () => document.activeElement !== document.body && document.activeElement?.isConnected

/** Opens a list with three records and focuses the second one. */
async function openAt(noun: string, more: object) {
  const path = allNouns().find(({ name }) => name === noun)?.path ?? ''
  const { list = '' } = nouns[noun] ?? {}
  serve({
    [`GET ${list}`]: wirePage(rowsWith(noun, more)),
    'GET capabilities/': { acknowledge: true },
    'POST sos/:id/acknowledge/': { message: 'Acknowledged' },
    'POST sos/:id/reopen/': { message: 'New again' },
    'POST driver/:id/suspend/': { message: 'Rider suspended' },
    'POST driver/:id/unfreeze/': { message: 'Rider is back' },
    'POST invoice/update/': { message: 'Invoice cleared' },
    'POST attractions/all/:id/': {},
    'POST blogs/:id/update/': {},
    'POST coupons/:id/update/': {},
    'POST promo-codes/:id/update/': {},
    'GET drivers/:id': wireDriver({ id: 32 }),
    'GET drivers/:id/trips/': wirePage([]),
    'GET drivers/:id/transactions/': wirePage([]),
    'GET attractions/all/:id/': wireAttraction({ id: 32 }),
  })
  const { user } = renderApp({ path })
  await waitFor(() => expect(rowCount()).toBe(3))
  await user.keyboard('kkkj')
  await waitFor(() => expect(focusedRow()).toBe(1))
  return { user, list, path }
}

/** What the records must be like so that the command can be run on them. */
const fitting: Record<string, object> = {
  'driver.unsuspend': { deleted: true },
  'sos.reopen': { handled_at: '2026-03-04T05:06:07.000Z', handled_by: 'grace@twende.test' },
  'promo.editTypeInternal': { promo_type: 'External' },
}

/** A command with what its records must be like. */
const recordCommands = commands
  .filter(({ noun }) => noun !== undefined && noun in nouns)
  .map((command) => ({
    command,
    id: command.id,
    noun: command.noun ?? '',
    more: fitting[command.id] ?? {},
  }))

/** Runs a command as its key does, and waits for what it did. */
async function run(command: Command, calls: () => Promise<unknown>) {
  const context = store.get(contextAtom)
  expect(isRunnable(command, context)).toBe(true)
  await act(async () => {
    await command.run(context)
  })
  await calls()
}
const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 30)))

it('the record commands of every noun are tested', () => {
  const untested = commands.filter(({ noun }) => noun !== undefined && !(noun in nouns))
  expect(untested.map(({ id }) => id)).toEqual([])
})

describe.each(recordCommands)('after $id', ({ command, noun, more }) => {
  it.each(['key', 'palette'])(
    'by %s the focus is on the same row if it stayed, and on the new screen if there is one',
    async (how) => {
      const { user, path } = await openAt(noun, more)
      if (how === 'key') await run(command, settle)
      else {
        await user.keyboard('{Control>}k{/Control}')
        await screen.findByRole('combobox')
        const title = command.title(store.get(contextAtom))
        const highlighted = () => screen.getByRole('option', { selected: true }).textContent
        for (let rows = 0; rows < 20 && !highlighted().startsWith(title); rows++)
          await user.keyboard('{ArrowDown}')
        expect(highlighted()).toContain(title)
        await user.keyboard('{Enter}')
        await settle()
      }
      if (store.get(dialogAtom)) {
        expect(document.activeElement?.closest('[role=dialog],[role=alertdialog]')).toBeTruthy()
        await user.keyboard('{Escape}')
        await waitFor(() => expect(store.get(dialogAtom)).toBeNull())
      }
      if (address() === path) await waitFor(() => expect(focusedRow()).toBe(1))
      else await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    },
  )

  it('the focus is on the next row if it vanished, then on the last one, then on the list', async () => {
    const { user, list, path } = await openAt(noun, more)
    const next = async (ids: number[]) => {
      serve({ [`GET ${list}`]: wirePage(rowsWith(noun, more, ids)) })
      await run(command, settle)
      if (store.get(dialogAtom)) {
        await user.keyboard('{Escape}')
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
        await user.keyboard('r')
      }
      await settle()
    }
    await next([31, 33])
    if (address() !== path) {
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
      return
    }
    // A command that changes nothing reloads nothing.
    if (rowCount() === 3) await user.keyboard('r')
    await waitFor(() => expect(rowCount()).toBe(2))
    await waitFor(() => expect(focusedRow()).toBe(1))
    await next([31])
    if (rowCount() === 2) await user.keyboard('r')
    await waitFor(() => expect(rowCount()).toBe(1))
    await waitFor(() => expect(focusedRow()).toBe(0))
    await next([])
    if (rowCount() === 1) await user.keyboard('r')
    await waitFor(() => expect(rowCount()).toBe(0))
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('region'))
  })
})

it.each(['coupon', 'blog'])(
  'a %s that vanished while a dialog was open gives the focus to the next one',
  async (noun) => {
    const { user, list } = await openAt(noun, {})
    await user.keyboard('?')
    await screen.findByRole('dialog')
    serve({ [`GET ${list}`]: wirePage(rowsWith(noun, {}, [31, 33])) })
    act(() => void commands.find(({ id }) => id === 'view.reload')?.run(store.get(contextAtom)))
    await waitFor(() => expect(rowCount()).toBe(2))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(focusedRow()).toBe(1))
  },
)

it.each(['driver', 'blog'])(
  'a %s that vanished while somebody typed into the search box gives its place to the next one',
  async (noun) => {
    const { user, list } = await openAt(noun, {})
    await user.keyboard('/')
    await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
    serve({ [`GET ${list}`]: wirePage(rowsWith(noun, {}, [31, 33])) })
    act(() => void commands.find(({ id }) => id === 'view.reload')?.run(store.get(contextAtom)))
    await waitFor(() => expect(rowCount()).toBe(2))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(focusedRow()).toBe(1))
  },
)

describe('after a record was created', () => {
  it.each([
    ['coupon', 'POST coupons/create/', 'Code'],
    ['blog', 'POST blog/create/', 'Title'],
  ])('the focus is on its row: %s', async (noun, call, label) => {
    const { user, list } = await openAt(noun, {})
    serve({
      [call]: () => {
        serve({ [`GET ${list}`]: wirePage(rowsWith(noun, {}, [34, 31, 32, 33])) })
        return nouns[noun]?.make(34, {})
      },
    })
    await user.keyboard('n')
    await user.type(await screen.findByLabelText(label), 'NEW')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(rowCount()).toBe(4))
    await waitFor(() => expect(focusedRow()).toBe(0))
  })

  it('the focus is on its row, also if the focused row was pushed off the page before the dialog closed', async () => {
    const { user, list } = await openAt('coupon', {})
    await user.keyboard('?')
    await screen.findByRole('dialog')
    act(() => wantRow('coupon:34'))
    serve({ [`GET ${list}`]: wirePage(rowsWith('coupon', {}, [34, 31])) })
    act(() => void commands.find(({ id }) => id === 'view.reload')?.run(store.get(contextAtom)))
    await waitFor(() => expect(rowCount()).toBe(2))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(focusedRow()).toBe(0))
  })

  it('that the list does not show, or by a server that does not answer it, the focus is back on the opener', async () => {
    const { user } = await openAt('coupon', {})
    serve({ 'POST coupons/create/': wireCoupon({ id: 99 }) })
    for (const answer of [wireCoupon({ id: 99 }), {}]) {
      serve({ 'POST coupons/create/': answer })
      await user.click(screen.getByRole('button', { name: 'Create coupon' }))
      await user.type(await screen.findByLabelText('Code'), 'NEW')
      await user.keyboard('{Control>}{Enter}{/Control}')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      await waitFor(() =>
        expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create coupon' })),
      )
    }
  })

  it('and another key was pressed on the screen meanwhile, the focus stays', async () => {
    const { user, list } = await openAt('coupon', {})
    serve({ 'POST coupons/create/': wireCoupon({ id: 34 }) })
    await user.keyboard('n')
    await user.type(await screen.findByLabelText('Code'), 'NEW')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('j')
    const before = focusedRow()
    serve({ [`GET ${list}`]: wirePage(rowsWith('coupon', {}, [31, 32, 33, 34])) })
    await user.keyboard('r')
    await waitFor(() => expect(rowCount()).toBe(4))
    expect(focusedRow()).toBe(before)
  })
})

describe('the search box of a list', () => {
  it('gives the focus to the first row of what Enter found', async () => {
    const { user } = await openAt('driver', {})
    serve({ 'GET drivers/': wirePage(rowsWith('driver', {}, [41, 42])) })
    await user.keyboard('/jo{Enter}')
    await waitFor(() => expect(rowCount()).toBe(2))
    await waitFor(() => expect(focusedRow()).toBe(0))
    await user.keyboard('/{Enter}')
    await waitFor(() => expect(focusedRow()).toBe(0))
  })

  it('keeps the focus if nothing was found', async () => {
    const { user } = await openAt('driver', {})
    serve({ 'GET drivers/': wirePage([]) })
    await user.keyboard('/nobody{Enter}')
    await waitFor(() => expect(rowCount()).toBe(0))
    await settle()
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  })

  it('gives up unsent text on Escape, and the focus goes back to the row', async () => {
    const { user } = await openAt('driver', {})
    await user.keyboard('/jo{Escape}')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '')
    expect(focusedRow()).toBe(1)
  })

  it('gets the focus from the palette', async () => {
    const { user } = await openAt('driver', {})
    await user.keyboard('{Control>}k{/Control}search this{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await settle()
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  })
})

describe('a control that is disabled or leaves the screen while it has the focus', () => {
  it('on the last page of a list gives it to the control beside it', async () => {
    serve({ 'GET drivers/': wirePage(rowsWith('driver', {}), { current_page_number: 1, total_pages: 2 }) })
    const { user } = renderApp({ path: '/riders' })
    await waitFor(() => expect(rowCount()).toBe(3))
    serve({ 'GET drivers/': wirePage(rowsWith('driver', {}), { current_page_number: 2, total_pages: 2 }) })
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Previous page' })),
    )
  })

  it('on the last page of a history in the details of a driver too', async () => {
    const page = (at: number) => wirePage([{ id: at }], { current_page_number: at, total_pages: 2 })
    serve({
      'GET drivers/:id': wireDriver({ id: 12 }),
      'GET drivers/:id/trips/': ({ query }) => page(Number(query['page'])),
      'GET drivers/:id/transactions/': wirePage([]),
    })
    const { user } = renderApp({ path: '/riders/12' })
    await screen.findByText('Trip #1')
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByText('Trip #2')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Previous page' })),
    )
  })

  it('leaves the focus where a click beside all controls has put it', async () => {
    const { user } = await openAt('driver', {})
    await user.pointer({ keys: '[MouseLeft]', target: document.body })
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await user.keyboard('r')
    await settle()
    expect(document.activeElement).toBe(document.body)
  })
})

describe('a change of screen', () => {
  it('gives the focus to the content, also from the side navigation', async () => {
    const { user } = await openAt('driver', {})
    await user.click(screen.getByRole('link', { name: 'Trips' }))
    expect(document.activeElement).toBe(screen.getByRole('main'))
    act(() => screen.getByRole('link', { name: 'Coupons' }).focus())
    await user.keyboard('{Enter}')
    expect(address()).toBe('/coupons')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('by Back gives it to the row that had it, also from the side navigation', async () => {
    const { user } = await openAt('driver', {})
    expect(focusedRow()).toBe(1)
    await user.keyboard('gt')
    expect(address()).toBe('/trips')
    act(() => screen.getByRole('link', { name: 'Coupons' }).focus())
    window.history.back()
    await waitFor(() => expect(focusedRow()).toBe(1))
  })

  it('leaves it in an open dialog', async () => {
    const { user } = await openAt('driver', {})
    await user.keyboard('gt')
    await user.keyboard('{Control>}k{/Control}')
    const input = await screen.findByRole('combobox')
    window.history.back()
    await waitFor(() => expect(rowCount()).toBe(3))
    await settle()
    expect(document.activeElement).toBe(input)
  })
})

describe('the login', () => {
  it('begins in the e-mail field', async () => {
    renderApp({ path: '/login', staff: null })
    expect(document.activeElement).toBe(await screen.findByLabelText('Email'))
  })

  it('begins there after a logout too', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('{Control>}k{/Control}logout{Enter}')
    expect(document.activeElement).toBe(await screen.findByLabelText('Email'))
    await settle()
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  })
})

it.each(['/', '/riders', '/riders/12', '/blogs', '/nowhere'])(
  '%s opens with the focus in the content',
  async (path) => {
    serve({
      'GET drivers/:id': wireDriver({ id: 12 }),
      'GET drivers/:id/trips/': wirePage([]),
      'GET drivers/:id/transactions/': wirePage([]),
    })
    renderApp({ path })
    await settle()
    expect(onScreen()).toBe(true)
  },
)

it('the panel of the side navigation has the focus while it is open, and gives it back', async () => {
  setViewport(390)
  serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5 })]) })
  const { user } = renderApp({ path: '/coupons' })
  await screen.findByRole('button', { name: /^Delete/ })
  await user.keyboard('j')
  const cell = document.activeElement
  await user.keyboard('{Control>}b{/Control}')
  expect(document.activeElement?.getAttribute('href')).toBe('/coupons')
  expect(screen.getByRole('button', { name: 'Open the sidebar', expanded: true })).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(cell)
  expect(screen.getByRole('button', { name: 'Open the sidebar', expanded: false })).toBeTruthy()

  await user.keyboard('{Control>}b{/Control}')
  await user.click(screen.getByRole('link', { name: 'Vehicles' }))
  expect(document.activeElement?.closest('main')).toBeTruthy()
})
