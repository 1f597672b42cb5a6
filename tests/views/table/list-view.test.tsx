import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { ArrowDown, ArrowUp, Columns3, ListFilter } from 'lucide-react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { capabilitiesAtom } from '../../../src/api/config.ts'
import { queryClient } from '../../../src/api/query-client.ts'
import { callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { rendersOf } from '../../support/renders.ts'
import { wireDriver, wirePage } from '../../support/wire.ts'

afterEach(() => {
  vi.useRealTimers()
})

const list = 'GET drivers/'
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf' })
const baraka = wireDriver({ id: 3, name: 'Baraka Mwangi' })

type Query = { query: Record<string, string> }

const empty = () => screen.queryByText('No Drivers to display')
const loading = () => screen.queryByRole('status', { name: 'Loading' })
const retry = () => screen.queryByRole('button', { name: 'Retry' })
const grid = () => screen.getByRole('grid', { name: 'Drivers' })
const isDimmed = () => grid().parentElement?.dataset['stale'] === 'true'
const pager = () => screen.getByRole('navigation', { name: 'Pages of Drivers' })
const field = () => screen.getByRole('searchbox')
const asked = () => callsTo(list).map(({ query }) => query)
const toasts = () => document.querySelectorAll('[data-sonner-toast]')

/** Answers with the requested page of a list of `total_pages` pages, each with these rows. */
const pages =
  (total_pages: number, ...rows: unknown[]) =>
  ({ query }: Query) =>
    wirePage(rows, { current_page_number: Number(query['page']), total_pages })

/** Two pages of one driver each. */
const twoPages = (call: Query) => pages(2, call.query['page'] === '1' ? jo : amina)(call)

const scrollTo = (top: number) =>
  fireEvent.scroll(grid().parentElement ?? grid(), { target: { scrollTop: top } })

/** Until the answers that have come are on screen. */
const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 50)))

async function back(): Promise<void> {
  await act(async () => {
    const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
    window.history.back()
    await arrived
  })
}

describe('the first load of a list', () => {
  it('shows placeholder rows, and no empty text before the answer', async () => {
    const reply = hold()
    serve({ [list]: reply.answer })
    renderApp({ path: '/riders' })
    expect(loading()).toBeTruthy()
    expect(empty()).toBeNull()
    reply.give(wirePage([jo]))
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(loading()).toBeNull()
  })

  it('shows the empty text and a disabled pager for an empty list (S2.d.5)', async () => {
    serve({ [list]: wirePage([]) })
    renderApp({ path: '/riders' })
    expect(await screen.findByText('No Drivers to display')).toBeTruthy()
    expect(loading()).toBeNull()
    expect(screen.queryByRole('grid')).toBeNull()
    expect(pager().textContent).not.toContain('Page')
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
    for (const button of within(pager()).getAllByRole('button'))
      expect(button).toHaveProperty('disabled', true)
  })

  it.each<[string, () => unknown]>([
    ['is refused', () => refuse(400, 'Bad request')],
    ['fails on the network', lose],
    ['fails on the server', () => refuse(500, 'Boom')],
    ['gets a malformed answer', () => ({ results: null })],
    ['gets an HTML page', () => new Response('<!doctype html>')],
  ])(
    'that %s ends with Retry only: no message, no toast, no empty text (R1, S8.10)',
    async (_what, answer) => {
      serve({ [list]: answer })
      renderApp({ path: '/riders' })
      expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
      expect(empty()).toBeNull()
      expect(loading()).toBeNull()
      expect(toasts()).toHaveLength(0)
      expect(screen.queryByRole('alert')).toBeNull()
      expect(screen.getByRole('main').textContent).not.toMatch(/Boom|Bad request|error|[45]00/i)
      expect(pager().textContent).toBe('')
    },
  )

  it('is repeated by Retry, which shows placeholder rows meanwhile', async () => {
    const reply = hold()
    serve({ [list]: () => refuse(400) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('button', { name: 'Retry' })
    serve({ [list]: reply.answer })
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(loading()).toBeTruthy())
    expect(empty()).toBeNull()
    reply.give(wirePage([jo]))
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(retry()).toBeNull()
    await user.keyboard('j')
  })
})

describe('the view of a list', () => {
  it('is not rendered again by a load that brings the same rows, nor its headers by another focused row, nor its menu of filters by a selected row', async () => {
    serve({
      'GET capabilities/': { ordering: { drivers: ['fullname'] }, filters: { drivers: ['suspended'] } },
      [list]: () => wirePage([jo, amina]),
    })
    const { user } = renderApp({ path: '/riders?ordering=fullname' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('j')
    // The menu of the columns has the one, the header of the names the other.
    const [ofView, ofHeader, ofOther] = [rendersOf(Columns3), rendersOf(ArrowUp), rendersOf(ArrowDown)]
    await user.keyboard('r')
    await waitFor(() => expect(asked()).toHaveLength(2))
    await settled()
    await user.keyboard('j')
    expect(ofView).not.toHaveBeenCalled()
    expect(ofHeader).not.toHaveBeenCalled()
    const ofFilters = rendersOf(ListFilter)
    await user.keyboard('xx')
    expect(ofView).toHaveBeenCalled()
    expect(ofFilters).not.toHaveBeenCalled()
    ofView.mockClear()
    serve({ [list]: wirePage([jo, baraka]) })
    await user.keyboard('r')
    await screen.findByText('Baraka Mwangi')
    expect(ofView).toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(asked()).toHaveLength(4))
    expect(ofOther).toHaveBeenCalled()
  })
})

describe('the earlier rows of a list', () => {
  it('do not hold up the buttons of the pages: three clicks on Next lead three pages on', async () => {
    serve({
      [list]: ({ query }) => (query['page'] === '1' ? wirePage([jo], { total_pages: 9 }) : hold().answer()),
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    const entries = window.history.length
    for (let times = 0; times < 3; times++)
      await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(address()).toBe('/riders?page=4')
    expect(window.history.length - entries).toBe(3)
    expect(within(pager()).getByText('Page 1 of 9')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Previous page' }))
    expect(address()).toBe('/riders?page=3')
  })

  it('stay, dimmed, while the next page loads', async () => {
    const reply = hold()
    serve({ [list]: wirePage([jo], { total_pages: 2 }) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    expect(isDimmed()).toBe(false)
    serve({ [list]: reply.answer })
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(isDimmed()).toBe(true)
    expect(grid().getAttribute('aria-busy')).toBe('true')
    expect(screen.getByText('Jo Kamau')).toBeTruthy()
    reply.give(wirePage([amina], { current_page_number: 2, total_pages: 2 }))
    expect(await screen.findByText('Amina Yusuf')).toBeTruthy()
    expect(isDimmed()).toBe(false)
    expect(screen.queryByText('Jo Kamau')).toBeNull()
  })

  it('stay, dimmed, beside Retry when the next page fails to load (R1)', async () => {
    serve({ [list]: wirePage([jo], { total_pages: 2 }) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    serve({ [list]: () => refuse(400) })
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByRole('button', { name: 'Retry' })
    expect(screen.getByText('Jo Kamau')).toBeTruthy()
    expect(isDimmed()).toBe(true)
    serve({ [list]: wirePage([amina], { current_page_number: 2, total_pages: 2 }) })
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Amina Yusuf')).toBeTruthy()
    expect(isDimmed()).toBe(false)
    expect(retry()).toBeNull()
  })

  it('do not leave their scroll position to the next page when that fails to load at first (R1)', async () => {
    const many = Array.from({ length: 50 }, (_, at) => wireDriver({ id: 100 + at }))
    serve({ [list]: wirePage(many, { total_pages: 2 }) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Driver 100')
    serve({ [list]: () => refuse(400) })
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByRole('button', { name: 'Retry' })
    scrollTo(480)
    serve({ [list]: wirePage([amina], { current_page_number: 2, total_pages: 2 }) })
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText('Amina Yusuf')
    expect(grid().parentElement?.scrollTop).toBe(0)
  })

  it('stay, dimmed, beside Retry when the same page fails to reload (R1, R5)', async () => {
    serve({ [list]: wirePage([jo]) })
    renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    serve({ [list]: () => refuse(400) })
    await queryClient.invalidateQueries()
    await screen.findByRole('button', { name: 'Retry' })
    expect(isDimmed()).toBe(true)
    expect(screen.getByText('Jo Kamau')).toBeTruthy()
  })

  it('if there were none, do not leave the empty text on screen during another search (R1)', async () => {
    const reply = hold()
    serve({ [list]: wirePage([]) })
    const { user } = renderApp({ path: '/riders?s=zzz' })
    await screen.findByText('No Drivers to display')
    serve({ [list]: reply.answer })
    await user.clear(field())
    await user.type(field(), 'jo{Enter}')
    expect(empty()).toBeNull()
    expect(loading()).toBeTruthy()
    reply.give(wirePage([jo]))
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
  })

  it('if there were none, leave only Retry when another search fails (R1)', async () => {
    serve({ [list]: wirePage([]) })
    const { user } = renderApp({ path: '/riders?s=zzz' })
    await screen.findByText('No Drivers to display')
    serve({ [list]: () => refuse(400) })
    await user.type(field(), 'jo{Enter}')
    await screen.findByRole('button', { name: 'Retry' })
    expect(empty()).toBeNull()
  })
})

describe('the address of a list (S2.u.1)', () => {
  it('sets page, search and phone of the request', async () => {
    serve({ [list]: wirePage([jo], { current_page_number: 2, total_pages: 3 }) })
    renderApp({ path: '/riders?page=2&s=jo%20k&phone=0712' })
    await screen.findByText('Jo Kamau')
    expect(asked()).toEqual([{ page: '2', s: 'jo k', phone: '0712' }])
    expect(field()).toHaveProperty('value', 'jo k')
    expect(pager().textContent).toContain('Page 2 of 3')
    expect(screen.getByText('Jo Kamau').closest('tr')?.getAttribute('aria-rowindex')).toBe('52')
  })

  it('with a page beyond the end is corrected to the last page, without a new history entry', async () => {
    serve({ [list]: wirePage([baraka], { current_page_number: 3, total_pages: 3 }) })
    renderApp({ path: '/riders?page=9&s=m' })
    const entries = window.history.length
    await screen.findByText('Baraka Mwangi')
    await waitFor(() => expect(address()).toBe('/riders?page=3&s=m'))
    expect(window.history.length).toBe(entries)
  })

  it('is also corrected if the server answers such a page with no rows, and the empty text is not shown', async () => {
    const reply = hold()
    serve({
      [list]: ({ query }: Query) =>
        query['page'] === '9' ? wirePage([], { current_page_number: 9, total_pages: 3 }) : reply.answer(),
    })
    let wasCalledEmpty = false
    const watch = new MutationObserver(() => (wasCalledEmpty ||= empty() !== null))
    watch.observe(document.body, { childList: true, subtree: true })
    renderApp({ path: '/riders?page=9' })
    await waitFor(() => expect(address()).toBe('/riders?page=3'))
    await waitFor(() => expect(asked().at(-1)?.['page']).toBe('3'))
    reply.give(wirePage([baraka], { current_page_number: 3, total_pages: 3 }))
    expect(await screen.findByText('Baraka Mwangi')).toBeTruthy()
    watch.disconnect()
    expect(wasCalledEmpty).toBe(false)
  })

  it('changes with the page, as a new history entry', async () => {
    serve({ [list]: twoPages })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    const entries = window.history.length
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(await screen.findByText('Amina Yusuf')).toBeTruthy()
    expect(address()).toBe('/riders?page=2')
    expect(window.history.length).toBe(entries + 1)
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'Previous page' }))
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(address()).toBe('/riders')
  })
})

describe('the search of a list', () => {
  it('is sent when its form is submitted, not while somebody types', async () => {
    serve({ [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.type(field(), 'kamau')
    expect(address()).toBe('/riders')
    expect(asked()).toHaveLength(1)
    await user.keyboard('{Enter}')
    expect(address()).toBe('/riders?s=kamau')
    await waitFor(() => expect(asked()).toHaveLength(2))
    expect(asked()[1]).toMatchObject({ s: 'kamau', page: '1' })
  })

  it('goes back to page 1, keeps the other parameters, and trims spaces', async () => {
    serve({ [list]: pages(5, jo) })
    const { user } = renderApp({ path: '/riders?page=3&phone=0712&s=old' })
    await screen.findByText('Jo Kamau')
    await user.clear(field())
    await user.type(field(), '  jo  {Enter}')
    expect(address()).toBe('/riders?phone=0712&s=jo')
  })

  it('leaves out the invisible marks that are copied with a phone number', async () => {
    serve({ 'GET capabilities/': { search: true }, [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await waitFor(() => expect(getDefaultStore().get(capabilitiesAtom).search).toBe(true))
    await user.click(field())
    await user.paste('\u202a+254 712\u2011345\u202c')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/riders?phone=254712345')
  })

  it('is removed from the address when it is emptied', async () => {
    serve({ [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders?s=jo' })
    await screen.findByText('Jo Kamau')
    await user.clear(field())
    await user.type(field(), '{Enter}')
    expect(address()).toBe('/riders')
  })

  it('makes no history entry when the same text is sent again', async () => {
    serve({ [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.type(field(), 'jo{Enter}')
    await user.type(field(), '{Enter}')
    expect(address()).toBe('/riders?s=jo')
    await back()
    expect(address()).toBe('/riders')
  })

  it('takes its text from the address after Back', async () => {
    serve({ [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders?s=jo' })
    await screen.findByText('Jo Kamau')
    await user.clear(field())
    await user.type(field(), 'amina{Enter}')
    expect(address()).toBe('/riders?s=amina')
    await back()
    await waitFor(() => expect(field()).toHaveProperty('value', 'jo'))
  })

  it('is emptied when a phone number in it becomes a filter, so that it is right after Back', async () => {
    serve({ 'GET capabilities/': { search: true }, [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await waitFor(() => expect(getDefaultStore().get(capabilitiesAtom).search).toBe(true))
    await user.type(field(), '0712 345{Enter}')
    expect(address()).toBe('/riders?phone=254712345')
    expect(screen.getByRole('button', { name: 'Remove the filter Phone: 254712345' })).toBeTruthy()
    expect(field()).toHaveProperty('value', '')
    await back()
    expect(address()).toBe('/riders')
    expect(field()).toHaveProperty('value', '')
  })

  it('shows its own results, never those of an earlier search that arrive late (reliability 23)', async () => {
    const early = hold()
    const late = hold()
    serve({ [list]: ({ query }: Query) => (query['s'] === 'a' ? early : late).answer() })
    const { user } = renderApp({ path: '/riders?s=a' })
    await waitFor(() => expect(asked()).toHaveLength(1))
    await user.clear(field())
    await user.type(field(), 'b{Enter}')
    await waitFor(() => expect(asked()).toHaveLength(2))
    expect(callsTo(list)[0]?.signal.aborted).toBe(true)
    late.give(wirePage([baraka]))
    await screen.findByText('Baraka Mwangi')
    early.give(wirePage([amina]))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(screen.getByText('Baraka Mwangi')).toBeTruthy()
    expect(screen.queryByText('Amina Yusuf')).toBeNull()
  })

  it.each(['{Escape}', '{ArrowDown}'])('moves the focus to the table with %s', async (key) => {
    serve({ [list]: wirePage([jo, amina]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.click(field())
    await user.keyboard(key)
    expect(grid().contains(document.activeElement)).toBe(true)
  })

  it('takes at most 200 characters', async () => {
    serve({ [list]: wirePage([jo]) })
    renderApp({ path: '/riders' })
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(field()).toHaveProperty('maxLength', 200)
  })
})

describe('Back', () => {
  it('restores page, scroll offset and focused cell', async () => {
    const many = Array.from({ length: 50 }, (_, at) => wireDriver({ id: 100 + at }))
    serve({
      [list]: pages(2, ...many),
      'GET drivers/:id': jo,
      'GET drivers/:id/trips/': wirePage([]),
      'GET drivers/:id/transactions/': wirePage([]),
    })
    const { user } = renderApp({ path: '/riders?page=2' })
    await screen.findByText('Driver 120')
    await user.click(screen.getByRole('gridcell', { name: '+254710000120' }))
    scrollTo(480)
    await user.click(screen.getByRole('link', { name: 'Driver 121' }))
    expect(address()).toBe('/riders/121')
    await screen.findByRole('heading', { name: 'Jo Kamau' })
    await back()
    await screen.findByText('Driver 120')
    expect(address()).toBe('/riders?page=2')
    expect(grid().parentElement?.scrollTop).toBe(480)
    expect(document.activeElement?.textContent).toBe('Driver 121')
  })

  it('alone restores the focus: a list that is opened again has no focused row', async () => {
    serve({
      [list]: wirePage([jo, amina]),
      'GET drivers/:id': jo,
      'GET drivers/:id/trips/': wirePage([]),
      'GET drivers/:id/transactions/': wirePage([]),
      'POST driver/:id/suspend/': {},
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('j{Enter}')
    await screen.findByRole('heading', { name: 'Jo Kamau' })
    await user.keyboard('gd')
    await screen.findByText('Amina Yusuf')
    expect(grid().contains(document.activeElement)).toBe(false)
    await user.keyboard('s')
    expect(callsTo('POST driver/:id/suspend/')).toHaveLength(0)
  })
})

describe('a list whose last row left while it had the focus', () => {
  it('has no focused row when it is opened again', async () => {
    serve({ [list]: wirePage([jo]), 'POST driver/:id/suspend/': {} })
    const { user } = renderApp({ path: '/riders?s=jo' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('j')
    serve({ [list]: wirePage([]) })
    await act(() => queryClient.invalidateQueries())
    await screen.findByText('No Drivers to display')
    await user.keyboard('gh')
    serve({ [list]: wirePage([amina]) })
    await user.keyboard('gd')
    await screen.findByText('Amina Yusuf')
    await user.keyboard('s')
    expect(callsTo('POST driver/:id/suspend/')).toHaveLength(0)
    expect(grid().contains(document.activeElement)).toBe(false)
  })
})

describe('the next page', () => {
  it('keeps the focus in the table', async () => {
    serve({ [list]: twoPages })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('j]')
    await screen.findByText('Amina Yusuf')
    await waitFor(() => expect(grid().contains(document.activeElement)).toBe(true))
  })
})

describe('an optional capability of the server', () => {
  const capabilities = { count: true, page_size: true, idempotency: true, ordering: {} }

  it('is the total number of rows, which is shown if sent', async () => {
    serve({ [list]: wirePage([jo], { count: 12_345 }) })
    renderApp({ path: '/riders' })
    expect(await screen.findByText('12,345 in all')).toBeTruthy()
    expect(grid().getAttribute('aria-rowcount')).toBe('12346')
  })

  it('may be missing: then the list shows no total and no choice of rows per page', async () => {
    serve({ [list]: wirePage([jo], { count: undefined }) })
    renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    expect(screen.queryByText(/in all/)).toBeNull()
    expect(grid().getAttribute('aria-rowcount')).toBe('-1')
    expect(screen.queryByRole('combobox', { name: 'Rows per page' })).toBeNull()
  })

  it('is the number of rows per page, and changing it goes to page 1', async () => {
    serve({
      'GET capabilities/': capabilities,
      [list]: pages(3, jo),
    })
    const { user } = renderApp({ path: '/riders?page=2&s=jo' })
    const sizes = await screen.findByRole('combobox', { name: 'Rows per page' })
    expect(
      within(sizes)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['25', '50', '100', '250', '1000'])
    expect(sizes).toHaveProperty('value', '50')
    await user.selectOptions(sizes, '250')
    expect(address()).toBe('/riders?s=jo&size=250')
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ page: '1', page_size: '250' }))
  })

  it('is requested before the list if the address needs it', async () => {
    const reply = hold()
    serve({ 'GET capabilities/': reply.answer, [list]: wirePage([jo]) })
    renderApp({ path: '/riders?size=100' })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(asked()).toEqual([])
    expect(loading()).toBeTruthy()
    reply.give(capabilities)
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(asked()).toEqual([{ page: '1', s: '', phone: '', page_size: '100' }])
  })

  it('does not hold up the list when it cannot be loaded', async () => {
    serve({ 'GET capabilities/': lose, [list]: wirePage([jo]) })
    renderApp({ path: '/riders?size=100' })
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(asked()).toEqual([{ page: '1', s: '', phone: '' }])
  })
})

it('what the server offers is asked for again after a failure, and the list is then loaded as its address says (R1)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  serve({ 'GET capabilities/': lose, [list]: wirePage([jo]) })
  renderApp({ path: '/riders?filter=suspended' })
  expect(await screen.findByText('Jo Kamau')).toBeTruthy()
  expect(asked().at(-1)).not.toHaveProperty('filter')
  serve({ 'GET capabilities/': { filters: { drivers: ['suspended'] } }, [list]: wirePage([amina]) })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await screen.findByText('Amina Yusuf')).toBeTruthy()
  expect(asked().at(-1)).toMatchObject({ filter: 'suspended' })
})

it('the list reloads after a change, and focus and scroll position stay (R5, S4.3)', async () => {
  serve({ [list]: wirePage([jo, amina]), 'POST driver/:id/suspend/': { message: 'Done' } })
  const { user } = renderApp({ path: '/riders' })
  await screen.findByText('Jo Kamau')
  scrollTo(12)
  await user.keyboard('jj')
  const before = document.activeElement
  serve({ [list]: wirePage([jo, { ...amina, deleted: true }]) })
  await user.keyboard('s')
  expect(await screen.findByRole('button', { name: 'Unsuspend Amina Yusuf' })).toBeTruthy()
  expect(document.activeElement).toBe(before)
  expect(grid().parentElement?.scrollTop).toBe(12)
})

it('the list reloads when the tab becomes visible', async () => {
  serve({ [list]: wirePage([jo]) })
  renderApp({ path: '/riders' })
  await screen.findByText('Jo Kamau')
  fireEvent(document, new Event('visibilitychange', { bubbles: true }))
  await waitFor(() => expect(asked()).toHaveLength(2))
})
