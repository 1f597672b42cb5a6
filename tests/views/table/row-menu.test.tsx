import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '../../../src/api/query-client.ts'
import { callsTo, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireCustomer, wireDriver, wireInvoice, wirePage } from '../../support/wire.ts'

const cell = (text: string) => screen.getByText(text).closest('td') ?? document.body
const menu = () => screen.findByRole('menu', { name: 'Commands of the row' })
const isClosed = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
/** Whether the browser's own menu opens. */
const isOwn = (target: Element) => fireEvent.contextMenu(target)

async function open() {
  serve({
    'GET capabilities/': { filters: { trips: ['driver:'] } },
    'GET drivers/': wirePage([
      wireDriver({ id: 1, name: 'Jo Kamau' }),
      wireDriver({ id: 2, name: 'Amina Yusuf' }),
    ]),
    'POST driver/:id/suspend/': { message: 'Suspended' },
    'GET drivers/:id/trips/': wirePage([]),
    'GET drivers/:id': wireDriver({ id: 1, name: 'Jo Kamau' }),
  })
  const { user } = renderApp({ path: '/riders' })
  await screen.findByText('Jo Kamau')
  return user
}

it('a right click opens the commands of the row with their keys, and the row gets the focus back', async () => {
  const user = await open()
  const target = cell('Amina Yusuf').nextElementSibling?.nextElementSibling ?? document.body
  await user.pointer({ keys: '[MouseRight]', target })
  const items = within(await menu())
    .getAllByRole('menuitem')
    .map((one) => [one.firstChild?.textContent, one.querySelector('kbd')?.textContent])
  expect(items).toEqual([
    ['Suspend Amina Yusuf', 'S'],
    ['Open Amina Yusuf', undefined],
    ['Copy phone number of Amina Yusuf', undefined],
    ['Show the focused row in a panel', 'O'],
    ['Select the focused row', 'X'],
    ['Copy the focused row or the selection', 'Y'],
    ...['Invoices', 'Trips', 'Bookings', 'Invites', 'SOS logs'].map((list) => [
      `${list} of Amina Yusuf`,
      undefined,
    ]),
  ])
  await user.keyboard('{Escape}')
  await isClosed()
  await waitFor(() => expect(document.activeElement).toBe(target))
  await user.pointer({ keys: '[MouseRight]', target })
  await user.click(within(await menu()).getByRole('menuitem', { name: /^Suspend Amina Yusuf/ }))
  await waitFor(() => expect(callsTo('POST driver/:id/suspend/')).toHaveLength(1))
  expect(callsTo('POST driver/:id/suspend/')[0]?.path).toContain('/2/')
})

it('with other rows selected, the menu is that of the row under the pointer, without keys of the selection', async () => {
  const user = await open()
  await user.keyboard('jx')
  const date = cell('Amina Yusuf').nextElementSibling?.nextElementSibling ?? document.body
  await user.pointer({ keys: '[MouseRight]', target: date })
  const item = await screen.findByRole('menuitem', { name: /^Suspend Amina Yusuf/ })
  expect(item.querySelector('kbd')).toBeNull()
  expect(screen.queryByRole('menuitem', { name: /^Copy the focused row or the selection/ })).toBeNull()
  await user.keyboard('{Escape}')
  await isClosed()
  const selected = cell('Jo Kamau').nextElementSibling?.nextElementSibling ?? document.body
  await user.pointer({ keys: '[MouseRight]', target: selected })
  expect(
    (await screen.findByRole('menuitem', { name: /^Suspend Jo Kamau/ })).querySelector('kbd'),
  ).not.toBeNull()
})

it("the browser's own menu stays for links, checkboxes and selected text", async () => {
  const user = await open()
  expect(isOwn(screen.getByRole('link', { name: 'Jo Kamau' }))).toBe(true)
  expect(isOwn(screen.getByRole('checkbox', { name: 'Select 1' }))).toBe(true)
  const date = cell('Jo Kamau').nextElementSibling?.nextElementSibling ?? document.body
  document.getSelection()?.selectAllChildren(date)
  fireEvent.pointerDown(date)
  expect(isOwn(date)).toBe(true)
  expect(screen.queryByRole('menu')).toBeNull()
  document.getSelection()?.empty()
  // The keys ask for the menu of the focused row, also where a link has the focus.
  await user.keyboard('j')
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'F10', shiftKey: true })
  expect(isOwn(document.activeElement ?? document.body)).toBe(false)
  expect(await screen.findByRole('menuitem', { name: /^Suspend Jo Kamau/ })).toBeTruthy()
})

it('keys act on no row after the menu of a header was opened', async () => {
  const user = await open()
  await user.pointer({ keys: '[MouseRight]', target: screen.getByRole('columnheader', { name: 'Phone No' }) })
  await user.click(await screen.findByRole('menuitem', { name: 'Move the column Phone No right' }))
  await screen.findByRole('menuitem', { name: 'Move the column Phone No left' })
  await user.click(screen.getByRole('heading', { name: 'Drivers' }))
  await isClosed()
  await user.keyboard('s')
  expect(callsTo('POST driver/:id/suspend/')).toEqual([])
})

it('an item asks first where its key asks', async () => {
  serve({ 'GET all-invoices/': wirePage([wireInvoice({ id: 12 })]) })
  const { user } = renderApp({ path: '/invoices' })
  await user.pointer({ keys: '[MouseRight]', target: await screen.findByText('12') })
  await user.click(within(await menu()).getByRole('menuitem', { name: /^Clear/ }))
  expect(await screen.findByRole('alertdialog')).toBeTruthy()
})

it('a double click opens what Enter opens, but not on links and buttons', async () => {
  const user = await open()
  await user.dblClick(screen.getByRole('button', { name: /^Suspend Jo Kamau/ }))
  await user.dblClick(screen.getByRole('checkbox', { name: 'Select 1' }))
  expect(address()).toBe('/riders')
  const date = cell('Jo Kamau').nextElementSibling?.nextElementSibling ?? document.body
  await user.dblClick(date)
  expect(address()).toBe('/riders/1')
})

it('a double click shows a record without a screen in the panel, and leaves no text selected', async () => {
  serve({ 'GET customers/': wirePage([wireCustomer({ id: 3, fullname: 'Wanjiku' })]) })
  const { user } = renderApp({ path: '/customers' })
  await user.dblClick(await screen.findByText('Wanjiku'))
  expect(address()).toBe('/customers?peek=3')
  expect(document.getSelection()?.isCollapsed).toBe(true)
})

it('a load that removes its row closes the menu, and the row in its place gets the focus', async () => {
  const user = await open()
  const names = ['Jo Kamau', 'Amina Yusuf', 'Otieno Were']
  const drivers = (shown: string[]) =>
    wirePage(shown.map((name) => wireDriver({ id: names.indexOf(name) + 1, name })))
  serve({ 'GET drivers/': drivers(names) })
  await act(() => queryClient.invalidateQueries())
  await user.pointer({ keys: '[MouseRight]', target: cell('Amina Yusuf') })
  await menu()
  serve({ 'GET drivers/': drivers(['Jo Kamau', 'Otieno Were']) })
  await act(() => queryClient.invalidateQueries())
  await isClosed()
  await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('Otieno Were'))
})
