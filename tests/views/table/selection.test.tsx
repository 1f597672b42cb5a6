import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { batchesAtom } from '../../../src/commands/batch.ts'
import { activityAtom } from '../../../src/state/activity.ts'
import { endSession } from '../../../src/state/session.ts'
import type { Call } from '../../support/network.ts'
import { callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

const list = 'GET drivers/'
const suspended = 'POST driver/:id/suspend/'
const capabilities = { count: true, page_size: true, ordering: { drivers: ['fullname'] } }

const bar = () => screen.getByRole('group', { name: 'Selection' })
const noBar = () => waitFor(() => expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull())
const said = () => bar().querySelector('span')?.textContent
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const whole = () => box('Select all rows of the page')
const button = (name: string | RegExp) => screen.getByRole('button', { name })

/** Serves `count` drivers in pages of the size that is asked for. */
function drivers(count: number, { isCounted = true } = {}) {
  const all = Array.from({ length: count }, (_, at) => wireDriver({ id: at + 1, name: `Driver ${at + 1}` }))
  return ({ query }: Pick<Call, 'query'>) => {
    const [page, size] = [Number(query['page']), Number(query['page_size'] ?? 50)]
    const given = { current_page_number: page, total_pages: Math.ceil(count / size) }
    const rows = all.slice((page - 1) * size, page * size)
    return wirePage(rows, isCounted ? { ...given, count } : { ...given, count: undefined })
  }
}

async function open(path = '/riders?size=25', count = 60) {
  serve({ 'GET capabilities/': capabilities, [list]: drivers(count) })
  const { user } = renderApp({ path })
  await screen.findByText('Driver 1')
  return user
}

describe('the checkbox of the header', () => {
  it('selects all rows of the page, shows when only some are, and deselects them', async () => {
    const user = await open()
    expect([whole().checked, whole().indeterminate]).toEqual([false, false])
    await user.click(box('Select 3'))
    expect([whole().checked, whole().indeterminate]).toEqual([false, true])
    await user.click(whole())
    expect([whole().checked, whole().indeterminate]).toEqual([true, false])
    expect(said()).toBe('25 of 25 selected')
    await user.click(whole())
    await noBar()
  })

  it('adds no tab stop to the grid', async () => {
    await open()
    expect(whole().tabIndex).toBe(-1)
  })
})

it('J and K move on while they are held, with Shift they extend the selection, and X selects once', async () => {
  await open()
  const hold = (key: string, times: number, more = {}) => {
    for (let time = 0; time <= times; time++)
      fireEvent.keyDown(document.activeElement ?? document.body, {
        ...{ key, code: `Key${key.toUpperCase()}`, repeat: time > 0 },
        ...more,
      })
  }
  const focused = () => document.activeElement?.closest('tr')?.textContent
  hold('j', 9)
  expect(focused()).toContain('Driver 10')
  hold('k', 3)
  expect(focused()).toContain('Driver 6')
  hold('x', 2)
  expect(said()).toBe('1 of 25 selected')
  hold('J', 4, { shiftKey: true })
  expect(said()).toBe('6 of 25 selected')
})

it('Space selects the focused row once, however long it is held', async () => {
  const user = await open()
  await user.keyboard('j')
  const space = { key: ' ', code: 'Space' }
  for (const repeat of [false, true])
    expect(fireEvent.keyDown(document.activeElement ?? document.body, { ...space, repeat })).toBe(false)
  expect(said()).toBe('1 of 25 selected')
})

it('a selected record that has left the only page of its list leaves the selection', async () => {
  const user = await open('/riders?size=25', 5)
  await user.click(whole())
  expect(said()).toBe('5 of 5 selected')
  serve({ [list]: drivers(3) })
  await user.keyboard('r')
  await waitFor(() => expect(said()).toBe('3 of 3 selected'))
})

it('Shift and a click on a checkbox select every row from the one before', async () => {
  const user = await open()
  await user.click(box('Select 2'))
  fireEvent.click(box('Select 5'), { shiftKey: true })
  expect(said()).toBe('4 of 25 selected')
  expect(box('Select 4').checked).toBe(true)
})

it('the bar says in one sentence how many of the rows on the page are selected', async () => {
  const user = await open('/riders', 60)
  await user.keyboard('jxjxjx')
  expect(said()).toBe('3 of 50 selected')
  expect(bar().querySelector('[aria-live="polite"]')?.childNodes).toHaveLength(1)
})

describe('a selection on several pages', () => {
  it('stays when the page changes, and says how many rows are on this page and on the others', async () => {
    const user = await open()
    await user.keyboard('jxjx]')
    await screen.findByText('Driver 26')
    expect(said()).toBe('2 selected: 0 of 25 on this page, 2 on other pages')
    await user.keyboard('jx')
    expect(said()).toBe('3 selected: 1 of 25 on this page, 2 on other pages')
    await user.click(button('Previous page'))
    await screen.findByText('Driver 1')
    expect(said()).toBe('3 selected: 2 of 25 on this page, 1 on other pages')
    expect(box('Select 2').checked).toBe(true)
  })

  it('stays when the list is sorted', async () => {
    const user = await open()
    await user.keyboard('jx')
    await user.click(button('Name'))
    await waitFor(() => expect(address()).toContain('ordering=fullname'))
    expect(said()).toBe('1 of 25 selected')
  })

  it('is changed by an action as a whole', async () => {
    serve({ [suspended]: { message: 'Suspended' } })
    const user = await open()
    await user.keyboard('jx]')
    await screen.findByText('Driver 26')
    await user.keyboard('jxs')
    await waitFor(() =>
      expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/1/suspend/', 'driver/27/suspend/']),
    )
    await noBar()
  })

  it.each([
    ['the search changes', async (user: Awaited<ReturnType<typeof open>>) => user.keyboard('/driver{Enter}')],
    ['another screen is opened', async (user: Awaited<ReturnType<typeof open>>) => user.keyboard('gcgd')],
  ])('is cleared when %s', async (_when, act) => {
    const user = await open()
    await user.keyboard('jx')
    await act(user)
    await noBar()
    await screen.findByText('Driver 1')
    await noBar()
  })

  it.each(['gh', 'gc', 'gt'])('is not acted on after %s has opened another screen', async (keys) => {
    serve({ [suspended]: { message: 'Done' } })
    const user = await open()
    await user.keyboard('j{Shift>}X{/Shift}')
    expect(said()).toBe('25 of 25 selected')
    await user.keyboard(keys)
    await noBar()
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull())
    await user.keyboard('s')
    expect(callsTo(suspended)).toEqual([])
    expect(screen.getByRole('status', { name: 'Status' }).textContent).toBe(
      'Suspend the driver: no driver is focused',
    )
  })

  it('is cleared on all pages by Escape', async () => {
    const user = await open()
    await user.keyboard('jx]')
    await screen.findByText('Driver 26')
    await user.keyboard('j{Escape}')
    await noBar()
  })
})

describe('all rows that match', () => {
  it('are offered after the whole page is selected, if there are more pages', async () => {
    const user = await open()
    await user.keyboard('jx')
    expect(screen.queryByRole('button', { name: /that match/ })).toBeNull()
    await user.keyboard('{Shift>}X{/Shift}')
    await user.click(button('Select all 60 that match'))
    await waitFor(() => expect(said()).toBe('60 selected: 25 of 25 on this page, 35 on other pages'))
    expect(screen.queryByRole('button', { name: /that match/ })).toBeNull()
    expect(callsTo(list).at(-1)?.query).toMatchObject({ page: '1', page_size: '1000' })
  })

  it('are copied in the order of the list, whichever page is on screen', async () => {
    const user = await open()
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const copiedIds = () =>
      written.mock.calls
        .at(-1)?.[0]
        .split('\n')
        .map((line) => Number(line.split('\t')[0]))
    const inOrder = Array.from({ length: 60 }, (_, at) => at + 1)
    await user.keyboard('j{Shift>}X{/Shift}')
    await user.click(button('Select all 60 that match'))
    await waitFor(() => expect(said()).toContain('60 selected'))
    await user.keyboard('y')
    expect(copiedIds()).toEqual(inOrder)
    await user.keyboard(']')
    await screen.findByText('Driver 26')
    await user.keyboard('y')
    expect(copiedIds()).toEqual(inOrder)
  })

  it('are not offered if there is one page', async () => {
    const user = await open('/riders', 3)
    await user.keyboard('j{Shift>}X{/Shift}')
    expect(screen.queryByRole('button', { name: /that match/ })).toBeNull()
  })

  it('are selected by a command, for the search of the list', async () => {
    const user = await open('/riders?size=25&s=driver')
    await user.keyboard('{Control>}k{/Control}')
    await user.paste('select all 60')
    await screen.findByRole('option', { name: /^Select all 60 that match/ })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(said()).toBe('60 selected: 25 of 25 on this page, 35 on other pages'))
    // The palette has searched for drivers too.
    const large = callsTo(list).filter(({ query }) => query['page_size'] === '1000')
    expect(large.map(({ query }) => query['s'])).toEqual(['driver'])
  })

  it('are loaded page by page if the server takes no page size and sends no count', async () => {
    serve({ 'GET capabilities/': () => refuse(404), [list]: drivers(120, { isCounted: false }) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Driver 1')
    await user.click(whole())
    await user.click(button('Select all that match'))
    await waitFor(() => expect(said()).toBe('120 selected: 50 of 50 on this page, 70 on other pages'))
    expect(callsTo(list).map(({ query }) => query['page'])).toEqual(['1', '1', '2', '3'])
  })

  it('are at most 5,000, which is said before and after', async () => {
    const user = await open('/riders?size=25', 5200)
    await user.click(whole())
    await user.click(button('Select the first 5,000 of 5,200 that match'))
    await waitFor(() =>
      expect(said()).toBe('5,000 selected: 25 of 25 on this page, 4,975 on other pages (the most at once)'),
    )
  })

  it('show the progress and can be cancelled, which leaves the selection as it was', async () => {
    const reply = hold()
    const user = await open('/riders?size=25', 2500)
    await user.click(whole())
    const pages = drivers(2500)
    serve({ [list]: (call: Call) => (call.query['page'] === '2' ? reply.answer() : pages(call)) })
    await user.click(button('Select all 2,500 that match'))
    const progress = await screen.findByRole('progressbar', { name: 'Selecting' })
    await waitFor(() => expect(progress.textContent).toBe('Selecting 1,000 of 2,500'))
    await user.click(button('Cancel'))
    await waitFor(() => expect(said()).toBe('25 of 25 selected'))
    expect(callsTo(list).at(-1)?.signal.aborted).toBe(true)
    reply.give(wirePage([]))
  })

  it('stay unselected after Escape, also if they have been asked for already', async () => {
    const reply = hold()
    const user = await open()
    await user.click(whole())
    serve({ [list]: reply.answer })
    await user.click(button('Select all 60 that match'))
    await screen.findByRole('progressbar', { name: 'Selecting' })
    await user.keyboard('{Escape}')
    reply.give(drivers(60)({ query: { page: '1', page_size: '1000' } }))
    await waitFor(() => expect(screen.queryByRole('progressbar', { name: 'Selecting' })).toBeNull())
    expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull()
    expect(whole().checked).toBe(false)
  })

  it('stay unselected after a failure, which is in the activity (S8.10, R6)', async () => {
    const user = await open()
    await user.click(whole())
    serve({ [list]: lose })
    await user.click(button('Select all 60 that match'))
    await waitFor(
      () =>
        expect(getDefaultStore().get(activityAtom)[0]).toMatchObject({
          what: 'Select all drivers that match',
          outcome: 'failed',
        }),
      { timeout: 5000 },
    )
    expect(said()).toBe('25 of 25 selected')
    expect(button('Select all 60 that match')).toBeTruthy()
  })
})

describe('the progress of an action on many rows', () => {
  async function suspendTen() {
    const replies = Array.from({ length: 10 }, hold)
    const user = await open('/riders', 10)
    serve({ [suspended]: ({ path }: Call) => replies[Number(path.split('/')[1]) - 1]?.answer() })
    await user.keyboard('j{Shift>}X{/Shift}s')
    const answer = (id: number) =>
      act(async () => Promise.resolve(replies[id - 1]?.give({ message: 'Done' })))
    return { user, answer }
  }
  const progress = () => screen.getByRole('progressbar', { name: 'Suspending' }).textContent

  it('is shown in the place of the selection', async () => {
    const { answer } = await suspendTen()
    await waitFor(() => expect(progress()).toBe('Suspending 1 of 10'))
    expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull()
    await answer(1)
    await waitFor(() => expect(progress()).toBe('Suspending 2 of 10'))
  })

  it('pauses after the record under way, and goes on with the next one', async () => {
    const { user, answer } = await suspendTen()
    await user.click(button('Pause'))
    expect(document.activeElement?.textContent).toBe('Resume')
    await answer(1)
    await waitFor(() => expect(progress()).toBe('Suspending: paused after 1 of 10'))
    expect(callsTo(suspended)).toHaveLength(1)
    // The rows show what was done so far (R5).
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
    await user.click(button('Resume'))
    await waitFor(() => expect(callsTo(suspended)).toHaveLength(2))
  })

  it('is cancelled after the record under way; the others stay selected', async () => {
    const { user, answer } = await suspendTen()
    await user.keyboard('{Shift>}P{/Shift}')
    await answer(1)
    await waitFor(() => expect(said()).toBe('9 of 10 selected'))
    expect(callsTo(suspended)).toHaveLength(1)
    expect(callsTo(list)).toHaveLength(2)
  })

  it('makes the browser ask before the page is left, until the action has ended', async () => {
    const isLeft = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const { user, answer } = await suspendTen()
    await waitFor(() => expect(isLeft()).toBe(false))
    await user.keyboard('{Shift>}P{/Shift}')
    expect(isLeft()).toBe(false)
    await answer(1)
    await waitFor(() => expect(isLeft()).toBe(true))
  })

  it('is paused, resumed and cancelled by commands of the palette', async () => {
    const { user, answer } = await suspendTen()
    for (const [command, text] of [
      ['Pause suspending 10', 'Suspending 1 of 10, then pause'],
      ['Resume suspending 10', 'Suspending 1 of 10'],
      ['Cancel suspending 10', 'Suspending 1 of 10, then cancel'],
    ] as const) {
      await user.keyboard('{Control>}k{/Control}')
      await user.paste(command)
      await screen.findByRole('option', { name: (name) => name.startsWith(command) })
      await user.keyboard('{Enter}')
      await waitFor(() => expect(progress()).toBe(text))
    }
    await answer(1)
    await waitFor(() => expect(said()).toBe('9 of 10 selected'))
  })

  it('ends with the session', async () => {
    const { user } = await suspendTen()
    await user.keyboard('p')
    act(() => endSession())
    expect(getDefaultStore().get(batchesAtom)).toEqual([])
    expect(callsTo(suspended)).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  })

  it('leaves the rows that failed selected, with their marks, and nothing else', async () => {
    const user = await open('/riders', 10)
    serve({ [suspended]: ({ path }: Call) => (/[37]/.test(path) ? refuse(409) : { message: 'Done' }) })
    await user.keyboard('j{Shift>}X{/Shift}s')
    await waitFor(() => expect(said()).toBe('2 of 10 selected'))
    const rows = screen.getAllByRole('row', { selected: true })
    expect(rows.map((row) => within(row).getByRole('img', { name: /failed/ }))).toHaveLength(2)
  })

  it('is shown on other screens too', async () => {
    const { user, answer } = await suspendTen()
    await user.keyboard('gh')
    await screen.findByRole('heading', { name: 'Dashboard' })
    expect(progress()).toBe('Suspending 1 of 10')
    await user.click(button('Cancel'))
    await answer(1)
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  })
})
