import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { queryClient } from '../../../src/api/query-client.ts'
import { callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

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

/** A list of this many pages, each with these rows: it answers whatever page it is asked for. */
const pages =
  (total_pages: number, ...rows: unknown[]) =>
  ({ query }: Query) =>
    wirePage(rows, { current_page_number: Number(query['page']), total_pages })

/** Two pages of one driver each. */
const twoPages = (call: Query) => pages(2, call.query['page'] === '1' ? jo : amina)(call)

const scrollTo = (top: number) =>
  fireEvent.scroll(grid().parentElement ?? grid(), { target: { scrollTop: top } })

async function back(): Promise<void> {
  await act(async () => {
    const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
    window.history.back()
    await arrived
  })
}

describe('the first load', () => {
  it('shows the shape of a table, and does not say yet that there is nothing', async () => {
    const reply = hold()
    serve({ [list]: reply.answer })
    renderApp({ path: '/riders' })
    expect(loading()).toBeTruthy()
    expect(empty()).toBeNull()
    reply.give(wirePage([jo]))
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(loading()).toBeNull()
  })

  it('that found nothing says so, and its pager is inert (S2.d.5)', async () => {
    serve({ [list]: wirePage([]) })
    renderApp({ path: '/riders' })
    expect(await screen.findByText('No Drivers to display')).toBeTruthy()
    expect(loading()).toBeNull()
    expect(screen.queryByRole('grid')).toBeNull()
    expect(pager().textContent).toContain('Page 0 of 0')
    for (const button of within(pager()).getAllByRole('button'))
      expect(button).toHaveProperty('disabled', true)
  })

  it.each<[string, () => unknown]>([
    ['is refused', () => refuse(400, 'Bad request')],
    ['is lost', lose],
    ['fails', () => refuse(500, 'Boom')],
    ['is answered oddly', () => ({ results: null })],
    ['is answered with a page', () => new Response('<!doctype html>')],
  ])(
    'that %s ends in a bare Retry: no message, no toast, no empty text (R1, S8.10)',
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

  it('is tried again by Retry, which waits meanwhile', async () => {
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

describe('earlier rows', () => {
  it('stay, dimmed, while the next page is on its way', async () => {
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

  it('stay, dimmed, beside Retry when the next page failed (R1)', async () => {
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

  it('stay, dimmed, beside Retry when the same page could not be read again (R1, R5)', async () => {
    serve({ [list]: wirePage([jo]) })
    renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    serve({ [list]: () => refuse(400) })
    await queryClient.invalidateQueries()
    await screen.findByRole('button', { name: 'Retry' })
    expect(isDimmed()).toBe(true)
    expect(screen.getByText('Jo Kamau')).toBeTruthy()
  })

  it('that were none are not the answer to another search (R1)', async () => {
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

  it('that were none leave Retry alone when another search failed (R1)', async () => {
    serve({ [list]: wirePage([]) })
    const { user } = renderApp({ path: '/riders?s=zzz' })
    await screen.findByText('No Drivers to display')
    serve({ [list]: () => refuse(400) })
    await user.type(field(), 'jo{Enter}')
    await screen.findByRole('button', { name: 'Retry' })
    expect(empty()).toBeNull()
  })
})

describe('the address (S2.u.1)', () => {
  it('says what is asked for', async () => {
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

  it('is corrected where a server answers such a page with nothing, and nothing is called empty', async () => {
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

  it('changes with the page, by a new history entry', async () => {
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

describe('the search', () => {
  it('is asked when its form is submitted, not while it is typed', async () => {
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

  it('goes back to page 1, keeps the rest, and drops spaces around it', async () => {
    serve({ [list]: pages(5, jo) })
    const { user } = renderApp({ path: '/riders?page=3&phone=0712&s=old' })
    await screen.findByText('Jo Kamau')
    await user.clear(field())
    await user.type(field(), '  jo  {Enter}')
    expect(address()).toBe('/riders?phone=0712&s=jo')
  })

  it('that is emptied leaves the address', async () => {
    serve({ [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders?s=jo' })
    await screen.findByText('Jo Kamau')
    await user.clear(field())
    await user.type(field(), '{Enter}')
    expect(address()).toBe('/riders')
  })

  it('takes its text from the address when Back changes it', async () => {
    serve({ [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders?s=jo' })
    await screen.findByText('Jo Kamau')
    await user.clear(field())
    await user.type(field(), 'amina{Enter}')
    expect(address()).toBe('/riders?s=amina')
    await back()
    await waitFor(() => expect(field()).toHaveProperty('value', 'jo'))
  })

  it('shows its answer, never the late one of an earlier search', async () => {
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

  it.each(['{Escape}', '{ArrowDown}'])('is left by %s, to what was found', async (key) => {
    serve({ [list]: wirePage([jo, amina]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.click(field())
    await user.keyboard(key)
    expect(grid().contains(document.activeElement)).toBe(true)
  })

  it('never sends more than 200 characters', async () => {
    serve({ [list]: wirePage([jo]) })
    renderApp({ path: '/riders' })
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(field()).toHaveProperty('maxLength', 200)
  })
})

describe('Back', () => {
  it('brings back page, scroll offset and focused cell exactly', async () => {
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

  it('does not put the focus anywhere in a list that is opened anew', async () => {
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

describe('what a server offers beyond the specification', () => {
  const capabilities = { count: true, page_size: true, idempotency: true, ordering: {} }

  it('is the number of rows in all, where it says so', async () => {
    serve({ [list]: wirePage([jo], { count: 12_345 }) })
    renderApp({ path: '/riders' })
    expect(await screen.findByText('12,345 in all')).toBeTruthy()
    expect(grid().getAttribute('aria-rowcount')).toBe('12346')
  })

  it('is missed by nobody where it does not', async () => {
    serve({ [list]: wirePage([jo], { count: undefined }) })
    renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    expect(screen.queryByText(/in all/)).toBeNull()
    expect(grid().getAttribute('aria-rowcount')).toBe('-1')
    expect(screen.queryByRole('combobox', { name: 'Rows per page' })).toBeNull()
  })

  it('is how many rows a page has; changing it goes to page 1', async () => {
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

  it('is asked for before a list that needs it', async () => {
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

  it('holds nothing up where it is not known', async () => {
    serve({ 'GET capabilities/': lose, [list]: wirePage([jo]) })
    renderApp({ path: '/riders?size=100' })
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(asked()).toEqual([{ page: '1', s: '', phone: '' }])
  })
})

it('rows are read again after a change, and focus and scroll stay where they were (R5, S4.3)', async () => {
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

it('rows are read again when somebody comes back to the tab', async () => {
  serve({ [list]: wirePage([jo]) })
  renderApp({ path: '/riders' })
  await screen.findByText('Jo Kamau')
  fireEvent(document, new Event('visibilitychange', { bubbles: true }))
  await waitFor(() => expect(asked()).toHaveLength(2))
})
