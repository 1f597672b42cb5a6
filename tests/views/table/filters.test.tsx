import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { reload } from '../../../src/commands/cache.ts'
import { navigate } from '../../../src/state/location.ts'
import type { Call } from '../../support/network.ts'
import { callsTo, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireDriver, wireInvoice, wirePage } from '../../support/wire.ts'

const list = 'GET all-invoices/'
const filters = {
  invoices: ['paid', 'unpaid', 'overdue', 'driver:'],
  trips: ['completed', 'customer:', 'id:'],
}
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })

const chips = () =>
  within(screen.getByRole('group', { name: 'Filters' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
const chip = (label: string) => screen.getByRole('button', { name: `Remove the filter ${label}` })
const noChips = () => waitFor(() => expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull())

async function open(path: string, rows: unknown[] = [wireInvoice({ id: 70 })]) {
  serve({ 'GET capabilities/': { filters }, [list]: wirePage(rows), 'GET drivers/:id': jo })
  const { user } = renderApp({ path })
  await screen.findByRole('grid', { name: 'Invoices' })
  return user
}

describe('the filters of a list', () => {
  it('are sent with the first call already, which waits for what the server takes', async () => {
    await open('/invoices?filter=overdue,driver:12,unknown')
    expect(callsTo(list).map(({ query }) => query['filter'])).toEqual(['overdue,driver:12'])
  })

  it('are shown as chips, a record by its name', async () => {
    await open('/invoices?filter=overdue,driver:12,unknown')
    await waitFor(() => expect(chips()).toEqual(['Overdue', 'Driver: Jo Kamau', 'Clear filters']))
  })

  it('name a record whose detail cannot be read by its number', async () => {
    serve({ 'GET drivers/:id': () => refuse(404) })
    serve({ 'GET capabilities/': { filters }, [list]: wirePage([wireInvoice()]) })
    renderApp({ path: '/invoices?filter=driver:12' })
    await screen.findByRole('grid')
    expect(chips()).toEqual(['Driver 12', 'Clear filters'])
  })

  it.each([
    ['by its name in a row', { customer: { user: { fullname: 'Asha Otieno' } } }, 'Customer: Asha Otieno'],
    ['by its number if no row names it', { customer: null }, 'Customer 5'],
  ])('show a record without a detail %s', async (_how, row, label) => {
    serve({ 'GET capabilities/': { filters }, 'GET trips/': wirePage([{ id: 1, ...row }]) })
    renderApp({ path: '/trips?filter=customer:5,id:1' })
    await screen.findByRole('grid')
    expect(chips()).toEqual([label, 'ID 1', 'Clear filters'])
  })

  it('are taken away one by one, by a click or Backspace, and the focus goes to the next', async () => {
    const user = await open('/invoices?filter=overdue,unpaid,paid&page=1')
    await user.click(chip('Unpaid'))
    await waitFor(() => expect(address()).toBe('/invoices?filter=overdue,paid'))
    expect(document.activeElement).toBe(chip('Paid'))
    await user.keyboard('{Backspace}')
    await waitFor(() => expect(address()).toBe('/invoices?filter=overdue'))
    expect(document.activeElement).toBe(chip('Overdue'))
    await user.keyboard('{Delete}')
    await noChips()
    expect(address()).toBe('/invoices')
    expect(document.activeElement?.closest('main')).toBeTruthy()
  })

  it('are all taken away by Clear filters, and come back with Back', async () => {
    const user = await open('/invoices?filter=overdue,driver:12&s=jo&phone=07')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await noChips()
    expect(address()).toBe('/invoices?s=jo')
    window.history.back()
    await waitFor(() => expect(chips()).toHaveLength(4))
  })

  it('are no longer chosen in a dialog after Back', async () => {
    const user = await open('/invoices')
    await user.keyboard('gu')
    await user.keyboard('gi')
    await screen.findByRole('grid', { name: 'Invoices' })
    await user.keyboard('{Shift>}R{/Shift}')
    await screen.findByRole('dialog', { name: 'Filter invoices' })
    window.history.back()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toBe('/coupons')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    await user.keyboard('gt')
    expect(address()).toBe('/trips')
  })

  it('begin at page 1', async () => {
    const page = ({ query }: Call) =>
      wirePage([wireInvoice()], { current_page_number: Number(query['page']), total_pages: 3 })
    serve({ 'GET capabilities/': { filters }, [list]: page })
    const { user } = renderApp({ path: '/invoices?page=2' })
    await screen.findByRole('grid')
    await user.keyboard('f')
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Overdue' }))
    await waitFor(() => expect(callsTo(list).at(-1)?.query).toMatchObject({ page: '1', filter: 'overdue' }))
    expect(address()).toBe('/invoices?filter=overdue')
  })

  it('show the empty text of the list if nothing matches', async () => {
    serve({ 'GET capabilities/': { filters }, [list]: wirePage([]) })
    renderApp({ path: '/invoices?filter=overdue' })
    expect(await screen.findByText('No Invoices to display')).toBeTruthy()
    expect(chips()).toEqual(['Overdue', 'Clear filters'])
  })
})

describe('the menu of filters', () => {
  it('says how many records a term keeps where the server counts them, as the sidebar does for new SOS logs', async () => {
    const counts = [
      { trips: { completed: 1234 }, sos: { new: 3 } },
      { trips: { completed: 1235 }, sos: { new: 0 } },
    ]
    serve({
      'GET capabilities/': { counts: true, filters: { trips: ['completed', 'ongoing'] } },
      'GET counts/': () => counts.shift(),
      'GET trips/': wirePage([{ id: 7 }]),
    })
    const { user } = renderApp({ path: '/trips' })
    await screen.findByRole('grid')
    const alarms = () => screen.queryByRole('img', { name: '3 new SOS logs' })
    await waitFor(() => expect(alarms()).toBeTruthy())
    await user.keyboard('f')
    const texts = async () =>
      (await screen.findAllByRole('menuitemcheckbox')).map(({ textContent }) => textContent)
    expect(await texts()).toEqual(['Completed 1,234', 'Ongoing'])
    expect(callsTo('GET counts/')).toHaveLength(1)
    await user.keyboard('{Escape}')
    reload(['sos'])
    await waitFor(() => expect(alarms()).toBeNull())
  })

  it('opens with f, offers what the server can filter by without an id, and shows what is on', async () => {
    const user = await open('/invoices?filter=unpaid')
    await user.keyboard('f')
    const items = (await screen.findAllByRole('menuitemcheckbox')).map((item) => [
      item.textContent,
      item.getAttribute('aria-checked'),
    ])
    expect(items).toEqual([
      ['Paid', 'false'],
      ['Unpaid', 'true'],
      ['Overdue', 'false'],
    ])
    await user.keyboard('{End}{ArrowUp}{Enter}')
    await waitFor(() => expect(address()).toBe('/invoices?filter=unpaid,overdue'))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }))
  })

  it('is absent, and so are the chips, if the server offers none', async () => {
    serve({ [list]: wirePage([wireInvoice()]) })
    const { user } = renderApp({ path: '/invoices?filter=overdue' })
    await screen.findByRole('grid')
    await user.keyboard('f')
    expect(screen.queryByRole('button', { name: 'Filter' })).toBeNull()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull()
    expect(callsTo(list)[0]?.query).not.toHaveProperty('filter')
  })
})

describe('the filters by days and people', () => {
  const offered = { invoices: ['overdue', 'today', 'from:', 'to:', 'driver:'], trips: ['completed'] }
  const labels = () => screen.getAllByRole('dialog').flatMap((dialog) => [dialog.textContent])

  async function openList(path: string) {
    serve({
      'GET capabilities/': { filters: offered },
      [list]: wirePage([wireInvoice({ id: 70 })]),
      'GET trips/': wirePage([{ id: 1 }]),
      'GET drivers/': wirePage([jo]),
      'GET drivers/:id': jo,
    })
    const { user } = renderApp({ path })
    await screen.findByRole('grid')
    return user
  }

  it('are chosen in a dialog, which a key opens, and are shown as chips', async () => {
    const user = await openList('/invoices?filter=overdue&page=1')
    await user.keyboard('{Shift>}r{/Shift}')
    await screen.findByRole('dialog', { name: 'Filter invoices' })
    await user.type(screen.getByLabelText('From'), '2026-03-01')
    await user.type(screen.getByLabelText('To'), '2026-03-31')
    await user.click(screen.getByRole('button', { name: /^Driver/ }))
    await user.click(await screen.findByRole('option', { name: /Jo Kamau/ }))
    await user.click(screen.getByRole('button', { name: 'Show invoices' }))
    const terms = 'overdue,from:2026-03-01,to:2026-03-31,driver:12'
    await waitFor(() => expect(address()).toBe(`/invoices?filter=${terms}`))
    expect(callsTo(list).at(-1)?.query['filter']).toBe(terms)
    await waitFor(() =>
      expect(chips()).toEqual([
        'Overdue',
        'Invoice date from 1st Mar 2026',
        'Invoice date to 31st Mar 2026',
        'Driver: Jo Kamau',
        'Clear filters',
      ]),
    )
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('show in the dialog what is on, and what is cleared there is taken away', async () => {
    const user = await openList('/invoices?filter=from:2026-03-01,driver:12,overdue')
    await waitFor(() => expect(chips()).toContain('Driver: Jo Kamau'))
    await user.keyboard('f')
    await user.click(await screen.findByRole('menuitem', { name: 'By dates or people…' }))
    await screen.findByRole('dialog', { name: 'Filter invoices' })
    expect(screen.getByLabelText('From')).toHaveProperty('value', '2026-03-01')
    expect(labels()).toEqual([expect.stringContaining('Jo Kamau')])
    await user.clear(screen.getByLabelText('From'))
    await user.click(screen.getByRole('button', { name: 'Any driver' }))
    await user.click(screen.getByRole('button', { name: 'Show invoices' }))
    await waitFor(() => expect(address()).toBe('/invoices?filter=overdue'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' })))
  })

  it.each(['From', 'To'])('are not set while the year of %s has two digits', async (label) => {
    const user = await openList('/invoices')
    await user.keyboard('{Shift>}r{/Shift}')
    await screen.findByRole('dialog', { name: 'Filter invoices' })
    const input = screen.getByLabelText<HTMLInputElement>(label)
    await user.type(input, '0026-03-01')
    await user.click(screen.getByRole('button', { name: 'Show invoices' }))
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(input.validity.rangeUnderflow).toBe(true)
    await user.clear(input)
    await user.type(input, '2026-03-01')
    await user.click(screen.getByRole('button', { name: 'Show invoices' }))
    await waitFor(() => expect(address()).toBe(`/invoices?filter=${label.toLowerCase()}:2026-03-01`))
  })

  it('are not shown for an address with a day that does not exist, which the server ignores', async () => {
    await openList('/invoices?filter=overdue,to:2026-11-31')
    await waitFor(() => expect(chips()).toEqual(['Overdue', 'Clear filters']))
    expect(callsTo(list)[0]?.query['filter']).toBe('overdue')
  })

  it('of one day are a choice of the menu, and a chip that says which date is meant', async () => {
    const user = await openList('/invoices')
    await user.keyboard('f')
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Invoice date: today' }))
    await waitFor(() => expect(address()).toBe('/invoices?filter=today'))
    expect(chips()).toEqual(['Invoice date: today', 'Clear filters'])
  })

  it('are not offered where the server takes none', async () => {
    const user = await openList('/trips')
    await user.keyboard('{Shift>}r{/Shift}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('f')
    await screen.findByRole('menuitemcheckbox', { name: 'Completed' })
    expect(screen.queryByRole('menuitem', { name: 'By dates or people…' })).toBeNull()
  })
})

describe('a list in which nothing is found', () => {
  it.each([
    ['/invoices?s=zz', 'Nothing matches “zz”.'],
    ['/invoices?s=zz&filter=overdue', 'Nothing matches “zz” with these filters.'],
    ['/invoices?filter=overdue', 'Nothing matches the filters.'],
    ['/invoices?phone=07', 'Nothing matches the filters.'],
  ])('at %s says why beside the specified text, and leads to all records (S2.k.1)', async (path, why) => {
    serve({
      'GET capabilities/': { filters },
      [list]: ({ query }) =>
        wirePage(['s', 'phone', 'filter'].some((name) => query[name]) ? [] : [wireInvoice({ id: 70 })]),
    })
    const { user } = renderApp({ path })
    expect(await screen.findByText('No Invoices to display')).toBeTruthy()
    expect(screen.getByText(why)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all invoices' }))
    await screen.findByRole('grid')
    expect(address()).toBe('/invoices')
    expect(document.activeElement?.closest('main')).toBeTruthy()
  })

  it('lets the keyboard out of its search box', async () => {
    serve({ 'GET capabilities/': { filters }, [list]: wirePage([]) })
    const { user } = renderApp({ path: '/invoices?s=zz' })
    await screen.findByText('Nothing matches “zz”.')
    for (const key of ['{Escape}', '{ArrowDown}']) {
      await user.keyboard('/')
      expect(document.activeElement).toBe(screen.getByRole('searchbox'))
      await user.keyboard(key)
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Invoices' }))
    }
  })
})

describe('a list without a search box (S2)', () => {
  const box = () => screen.getByRole('searchbox', { name: 'Search trips...' })

  it('opens its search with / beside the filters, and Escape or empty text ends it', async () => {
    serve({ 'GET trips/': wirePage([{ id: 7 }]) })
    const { user } = renderApp({ path: '/trips?phone=07' })
    await screen.findByRole('grid')
    expect(screen.queryByRole('searchbox')).toBeNull()
    await user.keyboard('/')
    expect(document.activeElement).toBe(box())
    await user.keyboard('naivas{Enter}')
    expect(address()).toBe('/trips?phone=07&s=naivas')
    await waitFor(() => expect(callsTo('GET trips/').at(-1)?.query).toMatchObject({ s: 'naivas' }))
    await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('7'))
    await user.keyboard('/{Escape}')
    expect(address()).toBe('/trips?phone=07')
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(document.activeElement?.closest('[role=grid]')).toBeTruthy()
    // Left without text, it closes.
    await user.keyboard('/{Tab}')
    expect(screen.queryByRole('searchbox')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await noChips()
  })

  it('has no search any more after Back from it', async () => {
    serve({ 'GET trips/': wirePage([{ id: 7 }]) })
    const { user } = renderApp({ path: '/trips' })
    await screen.findByRole('grid')
    await user.keyboard('/naivas{Enter}')
    await waitFor(() => expect(box()).toHaveProperty('value', 'naivas'))
    act(() => window.history.back())
    await waitFor(() => expect(address()).toBe('/trips'))
    await noChips()
    await user.keyboard('/')
    expect(document.activeElement).toBe(box())
  })

  it('shows the search of its address there', async () => {
    serve({ 'GET trips/': wirePage([{ id: 7 }]) })
    const { user } = renderApp({ path: '/trips?s=naivas' })
    await screen.findByRole('grid')
    expect(box()).toMatchObject({ value: 'naivas' })
    await user.clear(box())
    await user.keyboard('{Enter}')
    expect(address()).toBe('/trips')
    await noChips()
    await user.keyboard('/java{Enter}')
    await user.click(screen.getByRole('button', { name: 'Remove the search for java' }))
    expect(address()).toBe('/trips')
    await noChips()
  })
})

describe('digits in the search box of drivers', () => {
  it.each([
    [true, '?phone=254712345678'],
    [false, '?s=0712+345+678'],
  ])('search by phone where the server has the search over everything: %s', async (search, expected) => {
    serve({ 'GET capabilities/': { search }, 'GET drivers/': wirePage([{ id: 7 }]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('grid')
    await user.keyboard('/0712 345 678{Enter}')
    expect(address()).toBe(`/riders${expected}`)
    await user.keyboard('/')
    await user.clear(screen.getByRole('searchbox'))
    await user.keyboard('jo{Enter}')
    expect(address()).toBe('/riders?s=jo')
  })
})

describe('text that filters a list without showing in a search box', () => {
  it.each([
    ['/riders?s=jo&phone=0712', 'GET drivers/', ['Phone: 0712', 'Clear filters']],
    ['/attractions?s=fort&phone=07', 'GET attractions/all/', ['Search: fort', 'Clear filters']],
  ])('of %s is a chip', async (path, call, expected) => {
    serve({ [call]: wirePage([{ id: 1 }]) })
    const { user } = renderApp({ path })
    await screen.findByRole('grid')
    expect(chips()).toEqual(expected)
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await noChips()
  })
})

it('the menu of filters does not open by itself in the list that is opened after it was left open', async () => {
  const user = await open('/invoices')
  serve({ 'GET trips/': wirePage([]) })
  await user.keyboard('f')
  await screen.findByRole('menu')
  act(() => navigate('/trips'))
  await screen.findByText('No Trips to display')
  act(() => navigate('/invoices'))
  await screen.findByRole('grid', { name: 'Invoices' })
  expect(screen.queryByRole('menu')).toBeNull()
})
