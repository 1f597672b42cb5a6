import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { hold, lose, serve } from '../../support/network.ts'
import { renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })

const found = (...drivers: object[]) => ({
  results: drivers.map((record) => ({ noun: 'driver', record, match: 'words' })),
})

/** Opens the palette of a server that can search, which answers with these drivers. */
async function openWith(typed: string, path = '/') {
  serve({
    'GET capabilities/': { search: true, logout: true },
    'GET search/': found(jo, amina),
    'GET drivers/': wirePage([jo, amina]),
    // What a highlighted record opens is loaded before Enter.
    'GET drivers/:id': jo,
    'GET drivers/:id/trips/': wirePage([]),
    'GET drivers/:id/transactions/': wirePage([]),
  })
  const { user } = renderApp({ path })
  if (path !== '/') await screen.findByText('Jo Kamau')
  await user.keyboard('{Control>}k{/Control}')
  if (typed) await user.keyboard(typed)
  return user
}

const input = () => screen.getByRole('combobox', { name: 'Commands' })
const active = () => document.getElementById(input().getAttribute('aria-activedescendant') ?? '')
const selected = () => screen.getByRole('option', { selected: true })
const status = () =>
  within(screen.getByRole('dialog', { name: 'Command palette' })).getByRole('status').textContent

describe('for a screen reader the palette', () => {
  it('is a combobox that controls a list of options', async () => {
    await openWith('')
    const list = screen.getByRole('listbox', { name: 'Results' })
    expect(input().getAttribute('aria-controls')).toBe(list.id)
    expect(input().getAttribute('aria-expanded')).toBe('true')
    expect(input().getAttribute('aria-autocomplete')).toBe('list')
    expect(input()).toBe(document.activeElement)
    expect(within(list).getAllByRole('option').length).toBeGreaterThan(5)
  })

  it('names the highlighted option as active, from the start, after a key and after new results', async () => {
    const user = await openWith('')
    await waitFor(() => expect(active()).toBe(selected()))
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(active()).toBe(selected()))
    expect(active()).toBe(screen.getAllByRole('option')[1])
    await user.keyboard('amina')
    await screen.findByRole('option', { name: /^Amina Yusuf/ })
    await waitFor(() => expect(active()).toBe(selected()))
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(active()).toBe(selected()))
    await user.keyboard('{Control>}a{/Control}trips')
    await screen.findByRole('option', { name: /^Trips/ })
    await waitFor(() => expect(active()).toBe(selected()))
  })

  it('groups neighbours of one kind, with every option in a group and none moved', async () => {
    await openWith('kamau')
    const option = await screen.findByRole('option', { name: /^Jo Kamau/ })
    const group = option.closest<HTMLElement>('[role=group]')
    expect(group?.getAttribute('aria-label')).toBe('Records')
    const groups = within(screen.getByRole('listbox')).getAllByRole('group')
    expect(groups.flatMap((one) => within(one).getAllByRole('option'))).toEqual(screen.getAllByRole('option'))
    const names = groups.map((one) => one.getAttribute('aria-label'))
    expect(names.filter((name, at) => !name || name === names[at - 1])).toEqual([])
  })

  it('says the detail or the reason in the name of an option', async () => {
    await openWith('suspend kamau')
    const option = await screen.findByRole('option', { name: /^Suspend Jo Kamau, ?.*Driver 12/ })
    expect(option.getAttribute('aria-disabled')).toBe('false')
    const other = await screen.findByRole('option', { name: /^Suspend Amina Yusuf, ?Suspended already/ })
    expect(other.getAttribute('aria-disabled')).toBe('true')
  })

  it('describes the input by the record that the commands act on', async () => {
    const user = await openWith('', '/riders')
    await user.keyboard('{Escape}j{Control>}k{/Control}')
    const described = () => document.getElementById(input().getAttribute('aria-describedby') ?? '')
    expect(described()?.textContent).toBe('Jo Kamau')
    await user.keyboard('{Backspace}')
    expect(described()).toBeNull()
  })

  it('announces politely that it searches, and how many results there are', async () => {
    const answer = hold()
    const user = await openWith('')
    expect(status()).toBe('')
    serve({ 'GET search/': answer.answer })
    await user.keyboard('kamau')
    expect(status()).toBe('Searching…')
    answer.give(found(jo))
    await waitFor(() => expect(status()).toBe(`${screen.getAllByRole('option').length} result`))
    serve({ 'GET search/': found() })
    await user.keyboard('xyz')
    await waitFor(() => expect(status()).toBe('Nothing found'))
    serve({ 'GET search/': lose })
    await user.keyboard('q')
    await waitFor(() => expect(status()).toBe('The search failed. Retry'))
  })
})
