import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { queryClient } from '../../src/api/query-client.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wireDriver, wireInvoice, wirePage, wireTransaction, wireTrip } from '../support/wire.ts'

const detail = 'GET drivers/:id'
const trips = 'GET drivers/:id/trips/'
const transactions = 'GET drivers/:id/transactions/'
const suspended = 'POST driver/:id/suspend/'

type Query = { query: Record<string, string>; path: string }

/** Opens the detail screen of this driver. */
async function open(driver: object, path = '/riders/12') {
  serve({ [detail]: driver, [trips]: wirePage([]), [transactions]: wirePage([]) })
  const { user } = renderApp({ path })
  await screen.findByRole('region', { name: 'Driver' })
  return user
}
const head = () => within(screen.getByRole('region', { name: 'Driver' }))
const tile = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling
const card = (title: string) => screen.getByRole('heading', { name: title }).nextElementSibling?.textContent
const panel = () => screen.getByRole('tabpanel')
const lines = () =>
  within(panel())
    .getAllByRole('listitem')
    .map((item) => [...item.children].map((part) => part.textContent))

describe('the driver screen', () => {
  it('leads back to the list (S2.e.1)', async () => {
    const user = await open(wireDriver())
    serve({ 'GET drivers/': wirePage([]) })
    await user.click(screen.getByRole('link', { name: 'Back' }))
    expect(address()).toBe('/riders')
  })

  it.each([
    [true, false, 'Online'],
    [false, false, 'Offline'],
    [true, true, 'Online / Busy'],
  ])('shows name and presence: online %j, busy %j is %s (S2.e.2)', async (online, busy, presence) => {
    await open(wireDriver({ name: 'Jo Kamau', online, busy }))
    expect(head().getByRole('heading').textContent).toBe('Jo Kamau')
    expect(head().getByText(presence)).toBeTruthy()
  })

  it('shows the picture of the driver (S2.e.2)', async () => {
    await open(wireDriver({ name: 'Jo Kamau', image: '/files/jo.jpg' }))
    expect(head().queryByRole('img')).toBeNull()
    fireEvent.load(head().getByAltText('Jo Kamau'))
    expect(head().getByRole('img', { name: 'Jo Kamau' }).getAttribute('src')).toBe('/files/jo.jpg')
    expect(head().queryByText('JK')).toBeNull()
  })

  it.each([
    ['is missing', null],
    ['does not load', '/files/gone.jpg'],
    ['is no address', 5],
  ])('shows initials where the picture %s (S2.e.2)', async (_why, image) => {
    await open(wireDriver({ name: 'Jo Kamau', image }))
    for (const picture of head().queryAllByAltText('Jo Kamau')) fireEvent.error(picture)
    expect(head().getByText('JK')).toBeTruthy()
    expect(head().queryByRole('img')).toBeNull()
  })

  it('has cards for phone and vehicle, the registration in capitals (S2.e.3)', async () => {
    await open(wireDriver({ id: 12, vehicle: { registration: 'kda 123b' } }))
    expect(card('Contact details')).toBe('+254710000012')
    expect(card('Vehicle details')).toBe('KDA 123B')
  })

  it('shows the two ID images and the license image (S2.e.4)', async () => {
    await open(wireDriver({ id_front: '/f.jpg', id_back: '/b.jpg', license: '/l.jpg' }))
    const sources = ['ID front image', 'ID back image', 'License image'].map((name) => [
      screen.getByRole('img', { name }).getAttribute('src'),
      screen.getByText(name, { selector: 'figcaption' }).textContent,
    ])
    expect(sources).toEqual([
      ['/f.jpg', 'ID front image'],
      ['/b.jpg', 'ID back image'],
      ['/l.jpg', 'License image'],
    ])
  })

  it('says which image is missing (S2.e.4)', async () => {
    await open(wireDriver({ id_front: null, id_back: '', license: {} }))
    for (const name of ['No ID front image', 'No ID back image', 'No License image'])
      expect(screen.getByRole('img', { name })).toBeTruthy()
    expect(document.querySelector('figure img')).toBeNull()
  })

  it('shows trips and earnings in tiles (S2.e.5, S9.2)', async () => {
    const totals = {
      total_trips: 1250,
      total_earnings: 98765.4,
      total_completed_trips: 1200,
      total_failed_trips: 50,
    }
    await open(wireDriver(totals))
    expect(
      screen.getAllByRole('term').map((term) => [term.textContent, tile(term.textContent)?.textContent]),
    ).toEqual([
      ['Total trips', '1,250'],
      ['Total earnings (KSh)', '98,765.40'],
      ['Completed trips', '1,200'],
      ['Failed trips', '50'],
    ])
    expect(tile('Total earnings (KSh)')?.getAttribute('title')).toBe('98765.4')
  })

  it('names the driver in the title of the tab', async () => {
    await open(wireDriver({ name: 'Jo Kamau' }))
    expect(document.title).toBe('Jo Kamau · Drivers · Twende OMS')
  })

  it('has cards for wallet and date joined', async () => {
    await open(Object.assign(wireDriver(), { wallet_balance: -98_765.456 }))
    expect(card('Wallet(Ksh)')).toBe('-98,765.46')
    expect(card('Date joined')).toBe('3rd Nov 2025')
  })

  it.each([
    [{ online: true, busy: true }, 'On a trip'],
    [{ online: true, busy: false }, 'Free for a trip'],
    [{ online: true, deleted: true }, 'Suspended'],
  ])('says what %j means for the next trip', async (given, words) => {
    await open(wireDriver(given))
    expect(head().getByText(words)).toBeTruthy()
  })

  it('enlarges a picture in a dialog, and gives the focus back', async () => {
    const user = await open(wireDriver({ id: 12, name: 'Jo Kamau', id_back: '/b.jpg' }))
    const button = screen.getByRole('button', { name: 'ID back image' })
    button.focus()
    await user.keyboard('{Enter}')
    const picture = await screen.findByRole('img', { name: 'ID back image of Jo Kamau' })
    expect(picture.getAttribute('src')).toBe('/b.jpg')
    expect(screen.getByRole('dialog', { name: 'ID back image of Jo Kamau' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(button)
  })

  describe('on a server that can filter by driver', () => {
    const filters = { invoices: ['unpaid', 'driver:'], sos: ['id:', 'driver:'], trips: ['driver:'] }
    const link = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')

    it('links to the unpaid invoices with their number and sum', async () => {
      serve({
        'GET capabilities/': { filters },
        'GET all-invoices/': wirePage([wireInvoice({ amount: 2500 }), wireInvoice({ amount: 700 })]),
      })
      await open(wireDriver({ id: 12 }))
      expect(await link('2, Ksh. 3,200')).toBe('/invoices?filter=unpaid,driver:12')
      expect(callsTo('GET all-invoices/')[0]?.query).toMatchObject({ filter: 'unpaid,driver:12' })
    })

    it('links to the last three SOS logs and to all trips', async () => {
      const log = (id: number) => ({ id, created_at: `2025-11-0${id}T07:30:00Z` })
      serve({
        'GET capabilities/': { filters },
        'GET sos-lists/': wirePage([log(4), log(3), log(2), log(1)]),
      })
      await open(wireDriver({ id: 12 }))
      expect(await link('4th Nov 2025, 10:30 am')).toBe('/sos?filter=id:4')
      expect(await link('2nd Nov 2025, 10:30 am')).toBe('/sos?filter=id:2')
      expect(screen.queryByRole('link', { name: '1st Nov 2025, 10:30 am' })).toBeNull()
      expect(await link('All trips')).toBe('/trips?filter=driver:12')
    })
  })

  it('makes no further request where the server cannot filter by driver', async () => {
    await open(wireDriver({ id: 12, name: 'Jo Kamau' }))
    expect((await screen.findByRole('link', { name: 'All trips' })).getAttribute('href')).toBe(
      '/trips?s=Jo+Kamau',
    )
    expect([...callsTo('GET all-invoices/'), ...callsTo('GET sos-lists/')]).toEqual([])
  })

  it('requests the driver whose id is in the address (S7.4)', async () => {
    await open(wireDriver(), '/riders/b%207%25')
    expect(callsTo(detail).map(({ path }) => path)).toEqual(['drivers/b%207%25'])
  })
})

describe('suspending on the driver screen', () => {
  it('reloads the driver and changes the button to Unsuspend (S2.e.2, S4.3)', async () => {
    const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
    const reply = hold()
    const user = await open(jo)
    serve({ [suspended]: reply.answer })
    await user.click(screen.getByRole('button', { name: 'Suspend Jo Kamau' }))
    expect(screen.getByRole('button', { name: 'Suspend Jo Kamau' }).textContent).toBe('...')
    serve({ [detail]: { ...jo, deleted: true } })
    reply.give({ message: 'Rider suspended' })
    expect(await screen.findByText('Rider suspended')).toBeTruthy()
    expect((await screen.findByRole('button', { name: 'Unsuspend Jo Kamau' })).textContent).toBe('Unsuspend')
  })

  it('works with its key, on the driver of the screen', async () => {
    const user = await open(wireDriver({ id: 12 }))
    serve({ [suspended]: {} })
    await user.keyboard('s')
    await waitFor(() => expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/12/suspend/']))
  })

  it('is not possible before the driver is loaded', async () => {
    serve({ [detail]: hold().answer, [suspended]: {} })
    const { user } = renderApp({ path: '/riders/12' })
    await user.keyboard('su')
    expect(callsTo(suspended)).toHaveLength(0)
  })
})

describe('the history of a driver', () => {
  const jobs = (total_pages: number) => (call: Query) =>
    wirePage([wireTrip({ id: 100 + Number(call.query['page']) })], {
      current_page_number: Number(call.query['page']),
      total_pages,
    })

  it('has two tabs, jobs first (S2.e.6)', async () => {
    await open(wireDriver())
    const tabs = screen.getAllByRole('tab')
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Jobs history', 'Transactions history'])
    expect(tabs.map((tab) => tab.getAttribute('aria-selected'))).toEqual(['true', 'false'])
    expect(callsTo(transactions)).toHaveLength(0)
  })

  it('has one tab stop, and the arrow keys, Home and End choose a tab', async () => {
    const user = await open(wireDriver())
    const tab = (name: string) => screen.getByRole('tab', { name, selected: true })
    screen.getByRole('tab', { name: 'Jobs history' }).focus()
    for (const [key, name] of [
      ['{ArrowRight}', 'Transactions history'],
      ['{ArrowRight}', 'Jobs history'],
      ['{ArrowLeft}', 'Transactions history'],
      ['{Home}', 'Jobs history'],
      ['{End}', 'Transactions history'],
    ] as const) {
      await user.keyboard(key)
      expect(document.activeElement).toBe(tab(name))
      expect(screen.getByRole('tabpanel', { name })).toBeTruthy()
    }
    await user.tab({ shift: true })
    expect(document.activeElement).not.toHaveProperty('role', 'tab')
    await user.tab()
    await user.tab()
    expect(document.activeElement).toBe(panel())
  })

  it('lists jobs with cost and date, five a page (S2.e.7, S7.5)', async () => {
    serve({ [detail]: wireDriver() })
    const user = await open(wireDriver())
    serve({ [trips]: wirePage([wireTrip({ id: 81, cost: 1500, created_at: '2025-11-02T22:30:00Z' })]) })
    await queryClient.invalidateQueries()
    expect(await screen.findByText('Trip #81')).toBeTruthy()
    expect(lines()).toEqual([['Trip #81', 'Ksh 1,500.00', '3rd Nov 2025', 'Westlands → Karen Completed']])
    expect(callsTo(trips)[0]?.query).toEqual({ page: '1', page_size: '5' })
    await user.keyboard('j')
  })

  it('lists transactions with amount and date (S2.e.8, S7.6)', async () => {
    serve({
      [detail]: wireDriver(),
      [trips]: wirePage([]),
      [transactions]: wirePage([
        wireTransaction({ transaction_id: 55, amount: -20.5, created_at: '2025-11-11T09:00:00Z' }),
      ]),
    })
    const { user } = renderApp({ path: '/riders/12' })
    await user.click(await screen.findByRole('tab', { name: 'Transactions history' }))
    expect(await screen.findByText('Transaction #55')).toBeTruthy()
    expect(lines()).toEqual([['Transaction #55', 'Ksh -20.50', '11th Nov 2025']])
    expect(callsTo(transactions)[0]?.query).toEqual({ page: '1', page_size: '5' })
  })

  it('pages each tab by its own parameter: page and pageT (S2.u.2)', async () => {
    serve({ [detail]: wireDriver(), [trips]: jobs(3), [transactions]: jobs(4) })
    const { user } = renderApp({ path: '/riders/12?page=2' })
    await screen.findByText('Trip #102')
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByText('Trip #103')
    expect(address()).toBe('/riders/12?page=3')
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('tab', { name: 'Transactions history' }))
    await waitFor(() => expect(callsTo(transactions)).toHaveLength(1))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', false),
    )
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(address()).toBe('/riders/12?page=3&tab=transactions&pageT=2')
    await waitFor(() => expect(callsTo(transactions).at(-1)?.query['page']).toBe('2'))
    expect(callsTo(trips).map(({ query }) => query['page'])).toEqual(['2', '3'])
  })

  it('opens the tab and the page that the address names', async () => {
    serve({ [detail]: wireDriver(), [transactions]: jobs(4) })
    renderApp({ path: '/riders/12?tab=transactions&pageT=3' })
    expect(await screen.findByText(/^Transaction #/)).toBeTruthy()
    expect(callsTo(transactions)[0]?.query['page']).toBe('3')
    expect(callsTo(trips)).toHaveLength(0)
  })

  it('corrects a page beyond the end, without a new history entry', async () => {
    const last = wirePage([wireTrip({ id: 7 })], { current_page_number: 2, total_pages: 2 })
    serve({ [detail]: wireDriver(), [trips]: last })
    renderApp({ path: '/riders/12?page=9' })
    const entries = window.history.length
    await screen.findByText('Trip #7')
    await waitFor(() => expect(address()).toBe('/riders/12?page=2'))
    expect(window.history.length).toBe(entries)
  })

  it('shows the empty text only after a successful answer (R1)', async () => {
    const reply = hold()
    serve({ [detail]: wireDriver(), [trips]: reply.answer })
    renderApp({ path: '/riders/12' })
    await screen.findByRole('tabpanel')
    expect(screen.queryByText('No jobs')).toBeNull()
    reply.give(wirePage([]))
    expect(await screen.findByText('No jobs')).toBeTruthy()
  })

  it('shows its own Retry after a failed load, and leaves the driver on screen (R1, S8.10)', async () => {
    serve({ [detail]: wireDriver({ name: 'Jo Kamau' }), [trips]: () => refuse(400) })
    const { user } = renderApp({ path: '/riders/12' })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    expect(panel().contains(retry)).toBe(true)
    expect(screen.queryByText('No jobs')).toBeNull()
    expect(screen.getByRole('heading', { name: 'Jo Kamau' })).toBeTruthy()
    serve({ [trips]: wirePage([wireTrip({ id: 7 })]) })
    await user.click(retry)
    expect(await screen.findByText('Trip #7')).toBeTruthy()
  })

  it('keeps the earlier page, dimmed, when the next one failed (R1)', async () => {
    serve({ [detail]: wireDriver(), [trips]: jobs(2) })
    const { user } = renderApp({ path: '/riders/12' })
    await screen.findByText('Trip #101')
    serve({ [trips]: () => refuse(400) })
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByRole('button', { name: 'Retry' })
    expect(screen.getByText('Trip #101').closest('[data-stale]')?.getAttribute('data-stale')).toBe('true')
  })

  it('is never shown for another driver', async () => {
    const other = hold()
    serve({
      [detail]: ({ path }: Query) => wireDriver({ id: Number(path.split('/')[1]) }),
      [trips]: ({ path }: Query) =>
        path.includes('/7/') && callsTo(trips).length > 2 ? other.answer() : wirePage([wireTrip({ id: 70 })]),
      'GET drivers/': wirePage([wireDriver({ id: 7, name: 'Amina' }), wireDriver({ id: 12, name: 'Jo' })]),
    })
    const { user } = renderApp({ path: '/riders/7' })
    await screen.findByText('Trip #70')
    const goTo = async (name: string) => {
      await user.keyboard('{Control>}k{/Control}zzz')
      await screen.findByText(name, { selector: '[cmdk-item] *' })
      await user.keyboard(name === 'Jo' ? '{ArrowDown}{Enter}' : '{Enter}')
    }
    serve({ [trips]: ({ path }: Query) => (path.includes('/12/') ? other.answer() : wirePage([])) })
    await goTo('Jo')
    expect(address()).toBe('/riders/12')
    await screen.findByRole('heading', { name: 'Driver 12' })
    expect(screen.queryByText('Trip #70')).toBeNull()
    other.give(wirePage([wireTrip({ id: 120 })]))
    await screen.findByText('Trip #120')
    const again = hold()
    serve({ [trips]: again.answer })
    await goTo('Amina')
    await screen.findByRole('heading', { name: 'Driver 7' })
    expect(screen.queryByText('Trip #120')).toBeNull()
    again.give(wirePage([]))
  })
})

describe('a driver that fails to load', () => {
  it.each([404, 500])('shows only Retry after a %i: no message, no zeros (R1, S8.10)', async (status) => {
    serve({ [detail]: () => refuse(status, 'Gone') })
    const { user } = renderApp({ path: '/riders/12' })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    expect(screen.getByRole('main').textContent).not.toMatch(/0|Gone/)
    expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
    serve({ [detail]: wireDriver({ name: 'Jo Kamau' }), [trips]: wirePage([]) })
    await user.click(retry)
    expect(await screen.findByRole('heading', { name: 'Jo Kamau' })).toBeTruthy()
  })

  it('stays on screen, dimmed, beside Retry when a reload fails (R1)', async () => {
    await open(wireDriver({ name: 'Jo Kamau' }))
    serve({ [detail]: () => refuse(400) })
    await queryClient.invalidateQueries()
    await screen.findByRole('button', { name: 'Retry' })
    const kept = screen.getByRole('heading', { name: 'Jo Kamau' })
    expect(kept.closest('[data-stale]')?.getAttribute('data-stale')).toBe('true')
  })
})

describe('malformed answers on the driver screen', () => {
  it.each([
    {},
    { id: null, user: null, vehicle: null, online: 'yes', total_trips: null, total_earnings: 'much' },
    { id: [], user: 'Jo', vehicle: 'KDA', image: {}, id_front: 7, total_trips: {}, total_earnings: NaN },
    { user: { fullname: 5, phone_number: [] }, vehicle: { registration: 123 } },
  ])('are shown as blanks: %j', async (driver) => {
    await open(driver)
    expect(screen.getByRole('main').textContent).not.toMatch(/undefined|null|NaN|Invalid|1970|object/)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(tile('Total earnings (KSh)')?.textContent).toMatch(/^(0|98,765\.40)$/)
  })

  it('are shown as dimmed zeros with the title "no value" (R4)', async () => {
    await open(wireDriver({ total_trips: null, total_failed_trips: 0 }))
    expect(tile('Total trips')?.outerHTML).toMatch(/title="no value" data-none="true">0</)
    expect(tile('Failed trips')?.outerHTML).toMatch(/title="0" data-none="false">0</)
  })

  it('shows a dimmed 0 for a wallet, a job and a transaction without an amount, and rounded ones exactly (R4)', async () => {
    serve({
      [detail]: Object.assign(wireDriver(), { wallet_balance: null }),
      [trips]: wirePage([wireTrip({ cost: 99.999 }), Object.assign(wireTrip(), { cost: null })]),
      [transactions]: wirePage([Object.assign(wireTransaction(), { amount: 'NaN' })]),
    })
    const { user } = renderApp({ path: '/riders/12' })
    const amounts = () =>
      [...panel().querySelectorAll<HTMLElement>('li > :nth-child(2)')].map(
        ({ textContent, title, dataset }) => [textContent, title, dataset['none']],
      )
    await waitFor(() =>
      expect(amounts()).toEqual([
        ['Ksh 100.00', '99.999', 'false'],
        ['Ksh 0', 'no value', 'true'],
      ]),
    )
    expect(screen.getByRole('heading', { name: 'Wallet(Ksh)' }).nextElementSibling?.outerHTML).toMatch(
      /title="no value" data-none="true">0</,
    )
    await user.click(screen.getByRole('tab', { name: 'Transactions history' }))
    await waitFor(() => expect(amounts()).toEqual([['Ksh 0', 'no value', 'true']]))
  })

  it('in the history are shown as blanks', async () => {
    serve({
      [detail]: wireDriver(),
      [trips]: wirePage([
        {},
        { id: null, cost: 'much', created_at: 0 },
        { id: 3, cost: null, created_at: 'x' },
      ]),
    })
    renderApp({ path: '/riders/12' })
    expect(await screen.findByText('Trip #3')).toBeTruthy()
    expect(lines()).toEqual([
      ['Trip #', 'Ksh 0', ''],
      ['Trip #', 'Ksh 0', ''],
      ['Trip #3', 'Ksh 0', ''],
    ])
  })
})
