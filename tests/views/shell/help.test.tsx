import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { settingsAtom } from '../../../src/state/settings.ts'
import { callsTo, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

const changed = () => getDefaultStore().get(settingsAtom).keys
const dialog = () => screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
const terms = () =>
  within(dialog())
    .queryAllByRole('term')
    .map(({ textContent }) => textContent)
const note = () => within(dialog()).getByRole('status').textContent
const button = (name: string) => screen.getByRole('button', { name })
const reads = (about: string) => `Change the keys of ${about}`

async function openHelp(path = '/trips') {
  const { user } = renderApp({ path })
  await user.keyboard('?')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  return user
}

describe('the search box of the help', () => {
  it('has the focus and finds commands by name and by keys', async () => {
    const user = await openHelp()
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    await user.keyboard('suspend')
    expect(terms()).toEqual(['Suspend the driver', 'Unsuspend the driver', 'Filter drivers by Suspended'])
    await user.clear(screen.getByRole('searchbox'))
    await user.keyboard('G D')
    expect(terms()).toEqual(['Drivers'])
    await user.clear(screen.getByRole('searchbox'))
    await user.keyboard('ctrl k')
    expect(terms()).toEqual(['Open the command palette'])
  })

  it('finds commands without keys too, and says so when nothing fits', async () => {
    const user = await openHelp()
    expect(terms()).not.toContain('Dark theme')
    await user.keyboard('dark')
    expect(terms()).toEqual(['Dark theme'])
    await user.keyboard('er')
    expect(screen.getByText('No command with this name or these keys')).toBeTruthy()
  })
})

it('the help can be printed', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  const user = await openHelp()
  await user.click(button('Print'))
  expect(print).toHaveBeenCalledOnce()
})

describe('new keys', () => {
  it('are read after Change, work at once and are shown everywhere', async () => {
    serve({
      'GET drivers/': wirePage([wireDriver({ id: 12, name: 'Jo Kamau' })]),
      'POST driver/:id/suspend/': { message: 'Rider suspended' },
    })
    const user = await openHelp('/riders')
    await user.click(button(reads('Suspend the driver')))
    await user.keyboard('q')
    await waitFor(() => expect(note()).toBe('Suspend the driver: Q from now on.'))
    expect(changed()).toEqual({ 'driver.suspend': 'q' })
    await user.keyboard('{Escape}')
    expect(screen.getByRole('button', { name: 'Suspend Jo Kamau' }).getAttribute('aria-description')).toBe(
      'Key: Q',
    )
    await user.keyboard('js')
    expect(callsTo('POST driver/:id/suspend/')).toHaveLength(0)
    await user.keyboard('q')
    expect(await screen.findByText('Rider suspended')).toBeTruthy()
    await user.keyboard('{Control>}k{/Control}suspend the')
    expect(screen.getAllByRole('option')[0]?.querySelector('kbd')?.textContent).toBe('Q')
  })

  it('are read also where a click gives no focus to a button, as in Safari', async () => {
    const user = await openHelp()
    fireEvent.click(button(reads('Suspend the driver')))
    await user.keyboard('q')
    await waitFor(() => expect(note()).toBe('Suspend the driver: Q from now on.'))
  })

  it('run a command that had none', async () => {
    const user = await openHelp()
    await user.keyboard('dark theme')
    await user.click(button(reads('Dark theme')))
    await user.keyboard('qd')
    await waitFor(() => expect(note()).toBe('Dark theme: Q then D from now on.'))
    await user.keyboard('{Escape}')
    await user.keyboard('qd')
    expect(getDefaultStore().get(settingsAtom).theme).toBe('dark')
  })

  it('can be a sequence or a combination, and the palette opens with its new keys', async () => {
    const user = await openHelp()
    await user.click(button(reads('Vehicles')))
    await user.keyboard('qv')
    await waitFor(() => expect(note()).toBe('Vehicles: Q then V from now on.'))
    await user.click(button(reads('Open the command palette')))
    await user.keyboard('{Control>}m{/Control}')
    await waitFor(() => expect(note()).toBe('Open the command palette: Ctrl M from now on.'))
    await user.keyboard('{Escape}')
    expect(button('Search or run a commandCtrl M')).toBeTruthy()
    await user.keyboard('qv')
    expect(address()).toBe('/vehicles')
    await user.keyboard('{Control>}k{/Control}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('{Control>}m{/Control}')
    expect(await screen.findByRole('dialog', { name: 'Command palette' })).toBeTruthy()
  })

  it('that another command or the browser has are refused, and the sentence names it', async () => {
    const user = await openHelp()
    await user.click(button(reads('Suspend the driver')))
    await user.keyboard('u')
    await waitFor(() => expect(note()).toBe('U already runs “Unsuspend the driver”.'))
    await user.keyboard('{Enter}{Control>}w{/Control}')
    await waitFor(() => expect(note()).toBe('Ctrl W belongs to the browser.'))
    expect(changed()).toEqual({})
  })

  it('are not read after Escape, which leaves the help open, nor after Tab', async () => {
    const user = await openHelp()
    await user.click(button(reads('Suspend the driver')))
    await user.keyboard('q{Escape}')
    expect(dialog()).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(button('Press the new keys of Suspend the driver')).toBeTruthy()
    await user.keyboard('{Tab}')
    expect(screen.queryByRole('button', { name: /^Press the new keys/ })).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(changed()).toEqual({})
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('can be reset, for one command and for all', async () => {
    getDefaultStore().set(settingsAtom, { keys: { 'driver.suspend': 'q', 'view.reload': 'w' } })
    const user = await openHelp()
    await user.click(button('Reset the keys of Suspend the driver'))
    expect(changed()).toEqual({ 'view.reload': 'w' })
    await user.click(button('Reset all keys'))
    expect(changed()).toEqual({})
    expect(screen.queryByRole('button', { name: /^Reset/ })).toBeNull()
  })

  it('are saved to a file and read from one', async () => {
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const make = vi.spyOn(URL, 'createObjectURL')
    getDefaultStore().set(settingsAtom, { keys: { 'driver.suspend': 'q' } })
    const user = await openHelp()
    await user.click(button('Export keys'))
    expect(save).toHaveBeenCalledOnce()
    const [blob] = make.mock.calls[0] ?? []
    if (!(blob instanceof Blob)) throw new Error('No file was saved.')
    const json = await blob.text()
    act(() => getDefaultStore().set(settingsAtom, { keys: {} }))
    const upload = (text: string) =>
      user.upload(
        screen.getByLabelText('File with keys'),
        new File([text], 'keys.json', { type: 'application/json' }),
      )
    await upload('{"keys":{"driver.fly":"q"}}')
    await waitFor(() => expect(note()).toBe('Nothing was imported.There is no command “driver.fly”.'))
    await upload(json)
    await waitFor(() => expect(note()).toBe('The keys of keys.json are set.'))
    expect(changed()).toEqual({ 'driver.suspend': 'q' })
  })
})

it('keys that are switched off are marked as such (WCAG 2.1.4)', async () => {
  const { user } = renderApp({ path: '/trips' })
  act(() => getDefaultStore().set(settingsAtom, { singleKeys: false }))
  await user.keyboard('{Control>}k{/Control}keyboard sh{Enter}')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  const term = screen.getByText('Suspend the driver')
  expect(term.nextElementSibling?.textContent).toContain('switched off')
  expect(screen.getByText('Undo the last action').nextElementSibling?.textContent).not.toContain(
    'switched off',
  )
})
