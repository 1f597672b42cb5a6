import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { openPalette } from '../../src/commands/app.ts'
import type { Command, Context } from '../../src/commands/command.ts'
import { isRunnable, targetsOf } from '../../src/commands/command.ts'
import { columnCommands } from '../../src/commands/columns.ts'
import { contextAtom } from '../../src/commands/context.ts'
import { requestsFor } from '../../src/commands/find/asking.ts'
import { relatedRows } from '../../src/commands/find/record-rows.ts'
import { rowsFor } from '../../src/commands/find/rows.ts'
import type { PaletteRow } from '../../src/commands/find/row.ts'
import { requestKey } from '../../src/commands/find/search.ts'
import { goId } from '../../src/commands/go.ts'
import { matchingCommands } from '../../src/commands/matching.ts'
import type { Noun } from '../../src/commands/noun.ts'
import { allNouns } from '../../src/commands/noun.ts'
import { preferenceCommands } from '../../src/commands/preferences.ts'
import { runCommand } from '../../src/commands/run-command.ts'
import { selectionAtom } from '../../src/commands/selection.ts'
import { dialogAtom } from '../../src/state/dialog.ts'
import { navigate } from '../../src/state/location.ts'
import { settingsAtom } from '../../src/state/settings.ts'
import { sidebarExpandedAtom } from '../../src/state/sidebar.ts'
import { commands as firstCommands } from '../../src/views/app.tsx'
import type { Screen } from '../../src/views/screen.tsx'
import { screens } from '../../src/views/screens.ts'
import type { Call } from '../support/network.ts'
import { hold, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { spokenName } from '../support/spoken-name.ts'
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
  wireTransaction,
  wireTrends,
  wireTrip,
} from '../support/wire.ts'

const store = getDefaultStore()
const nouns = () => allNouns()
const commands = [...firstCommands, ...matchingCommands, ...preferenceCommands, ...columnCommands]
/** Opening the palette is the one command that it does not list. */
const listed = commands.filter((command) => command !== openPalette)
const vocabulary = { commands: listed, nouns: nouns() }
/** The most rows of the palette. */
const most = 20

const samples: Record<string, object[]> = {
  driver: [
    wireDriver({ id: 12, name: 'Jo Kamau' }),
    wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true }),
  ],
  invoice: [wireInvoice({ id: 12 }), wireInvoice({ id: 7, paid: true })],
  attraction: [wireAttraction({ id: 12 }), wireAttraction({ id: 7, name: 'Karura' })],
  blog: [wireBlog({ id: 12 }), wireBlog({ id: 7, title: 'Mombasa' })],
  coupon: [wireCoupon({ id: 12 }), wireCoupon({ id: 7, code: 'SAVE70' })],
  promo: [wirePromo({ id: 12 }), wirePromo({ id: 7, code: 'ASANTE' })],
  trip: [wireTrip({ id: 12 }), wireTrip({ id: 7 })],
  customer: [wireCustomer({ id: 12 }), wireCustomer({ id: 7 })],
  sos: [wireSos({ id: 12 }), wireSos({ id: 7, handled_at: '2025-11-03T07:40:00Z' })],
}
const rowsOf = ({ name }: Pick<Noun, 'name'>) => samples[name] ?? [{ id: 12 }, { id: 7 }]

const sorts = [
  ...['id', 'fullname', 'date_joined', 'registration', 'wallet_balance'],
  ...['total_completed_trips', 'total_failed_trips'],
]

/** The asked page of three with the same rows. */
const page =
  (rows: readonly object[]) =>
  ({ query }: Call) =>
    wirePage(rows, { current_page_number: Number(query['page'] ?? 1), total_pages: 3, count: 120 })

/** A server with every capability, and with three pages of each list. */
function serveAll(): void {
  const of = <T,>(value: (noun: Noun) => T) =>
    Object.fromEntries(nouns().map((noun) => [noun.calls.collection, value(noun)]))
  serve({
    'GET capabilities/': {
      ...{ count: true, page_size: true, search: true, logout: true, acknowledge: true, trends: true },
      ordering: of(() => sorts),
      filters: of(({ filters = [], owners = [] }) => [
        ...filters.map(({ term }) => term),
        'id:',
        ...owners.map((owner) => `${owner}:`),
      ]),
    },
    'GET search/': { results: [] },
    'GET trends/': ({ query }: Call) => wireTrends(Number(query['days'])),
    'GET drivers/:id/trips/': page([wireTrip()]),
    'GET drivers/:id/transactions/': page([wireTransaction()]),
  })
  for (const noun of nouns()) {
    serve({ [`GET ${noun.calls.list}`]: page(rowsOf(noun)) })
    if (noun.calls.one !== undefined)
      serve({ [`GET ${noun.calls.one.replace('{id}', ':id')}`]: rowsOf(noun)[0] ?? null })
  }
}

const control = [
  ...['button', 'a[href]', 'option', 'input', 'textarea', 'summary', '[contenteditable]'],
  ...['button', 'link', 'tab', 'checkbox', 'switch', 'radio'].map((role) => `[role=${role}]`),
  ...['menuitem', 'menuitemcheckbox', 'menuitemradio'].map((role) => `[role=${role}]`),
].join()

/** What a mouse can press on the screen and in open menus. In dialogs everything is reached by Tab: a test below. */
const controls = () =>
  [...document.querySelectorAll<HTMLElement>(control)].filter(
    (one) =>
      !one.closest('[role=dialog]') &&
      !one.matches(':disabled,[aria-disabled=true],[data-disabled]') &&
      // What is chosen already does nothing when it is pressed.
      !one.matches('option:checked,[role=tab][aria-selected=true],[role=menuitemradio][aria-checked=true]'),
  )

/** The last context of each record, so that all controls of a row get the same one. */
const contextsOfRecord = new WeakMap<object, { here: Context; context: Context }>()

/** For what a control acts: the record of its row or card, or else what the keys act on. */
function contextOf(one: HTMLElement, noun: Noun | undefined): Context {
  const here = store.get(contextAtom)
  const row = one.closest<HTMLElement>('tbody tr')?.dataset['index']
  const card = one.closest('main ul > li')
  const at = row ?? (card ? [...(card.parentElement?.children ?? [])].indexOf(card) : undefined)
  const record = noun && at !== undefined ? rowsOf(noun)[Number(at)] : undefined
  if (!noun || !record) return here
  const known = contextsOfRecord.get(record)
  if (known?.here === here) return known.context
  const context = { ...here, targets: targetsOf(noun, [record]) }
  contextsOfRecord.set(record, { here, context })
  return context
}

/**
 * The rows of each context, by the state of the page and the typed text: many controls run the same command. Kept only
 * while the controls of one screen are checked.
 */
let rowsOfContext = new WeakMap<Context, Map<string, PaletteRow[]>>()

/** The rows that the palette shows for a text before any answer of the server. */
function rowsWithoutAnswers(typed: string, context: Context): PaletteRow[] {
  const known = rowsOfContext.get(context) ?? new Map<string, PaletteRow[]>()
  rowsOfContext.set(context, known)
  const key = `${state()} ${typed}`
  const rows =
    known.get(key) ?? rowsFor({ typed, context, vocabulary, answers: new Map(), familiarity: () => 0 })
  known.set(key, rows)
  return rows
}

/** Whether the palette, asked for a command by its name, shows a row that runs it now. */
function isInPalette(command: Command, context: Context, typed = `>${command.about}`): boolean {
  return rowsWithoutAnswers(typed, context)
    .slice(0, most)
    .some(
      (row) => row.command?.command === command && row.reason === undefined && row.completes === undefined,
    )
}

/** Whether the palette has a row that opens this address: that of a screen or of a record. */
function isOpened(href: string): boolean {
  const go = commands.find(({ id }) => id === goId(href))
  if (go) return isInPalette(go, store.get(contextAtom))
  if (/\?filter=[a-z-]+$/.test(href)) return isListed(href)
  const context = store.get(contextAtom)
  const [target] = context.targets
  const owner = nouns().find(({ name }) => name === target?.ref.noun)
  if (owner && target && relatedRows({ noun: owner, row: target.row }, '').some((row) => row.href === href))
    return true
  const id = /\d+$/.exec(href)?.[0] ?? ''
  // A filtered list of a person is asked for by the person's name: "unpaid invoices jo kamau".
  const [, list = '', term = ''] = /^\/(\w+)\?filter=([a-z]+),\w+:\d+$/.exec(href) ?? []
  const typed = list ? `${term} ${list} jo kamau` : `#${id}`
  const asked = requestsFor(typed, vocabulary)
  return nouns().some((noun) => {
    const found = [{ noun, row: { id }, match: 'exact' as const }]
    const answers = new Map(asked.map(({ request }) => [requestKey(request), found]))
    const rows = rowsFor({ typed, context, vocabulary, answers, familiarity: () => 0 })
    return rows.some((row) => row.href === href)
  })
}

/** A link dials the number. The palette copies it: that of the person whose row it is in or, elsewhere, of one found by name. */
function isCopied(one: HTMLElement, noun: Noun | undefined): boolean {
  const copies = commands.filter(({ id }) => id.endsWith('.copyPhone'))
  const context = contextOf(one, noun)
  const own = copies.find((command) => command.noun === context.targets[0]?.ref.noun)
  return own ? isInPalette(own, context) : copies.length > 0
}

/** Whether the palette, asked for a filtered list by its words, has a row that opens it. */
function isListed(href: string): boolean {
  const [path, term] = href.split('?filter=')
  const noun = nouns().find((one) => one.path === path)
  const words = `${noun?.filters?.find((one) => one.term === term)?.label ?? ''} ${noun?.plural ?? ''}`
  return rowsWithoutAnswers(words, store.get(contextAtom)).some((row) => row.href === href)
}

const nameOf = (one: HTMLElement) => spokenName(one) || one.outerHTML.slice(0, 80)

/** Why a control cannot be done without the mouse; blank if it can. */
function fault(one: HTMLElement, noun: Noun | undefined): string {
  const href = one.getAttribute('href')
  if (href?.startsWith('#')) return document.querySelector(href) ? '' : `nothing has the address ${href}`
  if (href?.startsWith('tel:')) return isCopied(one, noun) ? '' : `the palette does not copy ${href}`
  const id = one.dataset['command']
  // The address of a command, such as a phone number to call.
  if (href !== null && id === undefined) return isOpened(href) ? '' : `the palette does not open ${href}`
  if (id === undefined) return 'has no command'
  const command = commands.find((candidate) => candidate.id === id)
  if (!command) return `there is no command ${id}`
  if (command === openPalette) return ''
  const context = contextOf(one, noun)
  if (!isRunnable(command, context)) return `${id} is not offered`
  if (command.noun !== undefined && nameOf(one) !== command.title(context)) return `is not named as ${id}`
  return isInPalette(command, context) ? '' : `the palette does not find ${id}`
}

/** The controls of the screen and of its menus, each with what is wrong with it. */
async function orphans(user: ReturnType<typeof renderApp>['user'], noun?: Noun): Promise<string[]> {
  rowsOfContext = new WeakMap()
  const found = new Map<HTMLElement, string>()
  const take = () => {
    for (const one of controls()) {
      const isMenu = one.getAttribute('aria-haspopup') === 'menu' && one.dataset['command'] === undefined
      if (!isMenu) found.set(one, fault(one, noun))
    }
  }
  take()
  const triggers = [...document.querySelectorAll<HTMLElement>('[aria-haspopup=menu]')]
  for (const trigger of triggers) {
    await user.click(trigger)
    const menu = await screen.findByRole('menu')
    // An item without a command may only close its menu, as Escape does.
    const bare = within(menu)
      .queryAllByRole('menuitem')
      .filter(({ dataset }) => dataset['command'] === undefined)
    take()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    const closed = state()
    for (const item of bare) {
      const name = nameOf(item)
      await user.click(trigger)
      await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name }))
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
      if (state() === closed) found.delete(item)
    }
  }
  expect(found.size).toBeGreaterThan(14)
  return [...found].flatMap(([one, why]) => (why ? [`${nameOf(one)}: ${why}`] : []))
}

/** All that a control of a screen can change without the server. */
const state = () =>
  JSON.stringify([
    address(),
    store.get(settingsAtom),
    store.get(dialogAtom)?.kind,
    [...store.get(selectionAtom).keys()],
    document.cookie,
  ])

const isReady = async (noun?: Noun) => {
  await waitFor(() => expect(document.querySelector('main [aria-busy=true]')).toBeNull())
  if (noun) await screen.findByText('Page 2 of 3')
}

const lists = nouns().map((noun) => [noun.path, noun] as const)

describe('every control for the mouse has a command that the palette runs, or opens what the palette opens', () => {
  it.each(lists)('in the list %s with rows', async (path, noun) => {
    serveAll()
    const { user } = renderApp({ path: `${path}?page=2` })
    await isReady(noun)
    await user.keyboard('j')
    expect(await orphans(user, noun)).toEqual([])
  })

  it.each(['/riders', '/customers', '/invoices'])('in the menu of a row of %s', async (path) => {
    serveAll()
    const noun = nouns().find((one) => one.path === path)
    const { user } = renderApp({ path: `${path}?page=2` })
    await isReady(noun)
    await user.keyboard('j')
    fireEvent.contextMenu(document.querySelector('tbody td:nth-child(4)') ?? document.body)
    const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
    expect(items.length).toBeGreaterThan(4)
    expect(items.map((one) => fault(one, noun)).filter(Boolean)).toEqual([])
  })

  it.each(['/riders', '/customers', '/invoices'])('in the list %s with the panel of a row', async (path) => {
    serveAll()
    const noun = nouns().find((one) => one.path === path)
    const { user } = renderApp({ path: `${path}?page=2&peek=12` })
    await isReady(noun)
    await screen.findByRole('complementary')
    expect(await orphans(user, noun)).toEqual([])
  })

  it.each(lists)('in the list %s, filtered, sorted and with all rows selected', async (path, noun) => {
    serveAll()
    const { filters = [], owners = [] } = noun
    const terms = [
      ...filters.slice(0, 1).map(({ term }) => term),
      'id:7',
      ...owners.map((one) => `${one}:12`),
    ]
    const { user } = renderApp({ path: `${path}?page=2&s=a&phone=7&ordering=-id&filter=${terms.join()}` })
    await isReady(noun)
    await user.keyboard('j{Shift>}X{/Shift}')
    expect(await orphans(user, noun)).toEqual([])
  })

  it.each([
    '/',
    '/?days=90&show=table',
    '/riders/12?page=2',
    '/riders/12?tab=transactions&pageT=2',
    '/attractions/12',
    '/nowhere',
  ])('on %s', async (path) => {
    serveAll()
    const { user } = renderApp({ path })
    await isReady()
    if (path.startsWith('/riders')) await screen.findByText('Page 2 of 3')
    expect(await orphans(user)).toEqual([])
  })

  it('in a window for which the sidebar is a panel', async () => {
    setViewport(700)
    serveAll()
    const { user } = renderApp({ path: '/' })
    await isReady()
    expect(await orphans(user)).toEqual([])
  })

  it.each(['/', '/riders', '/riders/12'])('on %s that could not be loaded', async (path) => {
    const failing = () => refuse(400)
    serve({ 'GET analytics/': failing, 'GET drivers/': failing, 'GET drivers/:id': failing })
    const { user } = renderApp({ path })
    await screen.findByRole('button', { name: 'Retry' })
    expect(await orphans(user)).toEqual([])
  })

  it('in the toast of an action that can be undone', async () => {
    serveAll()
    serve({ 'POST driver/:id/suspend/': { message: 'Jo Kamau has been suspended' } })
    const { user } = renderApp({ path: '/riders?page=2' })
    await isReady(nouns().find(({ path }) => path === '/riders'))
    await user.click(screen.getByRole('button', { name: 'Suspend Jo Kamau' }))
    await screen.findByRole('button', { name: 'Undo' })
    expect(
      await orphans(
        user,
        nouns().find(({ path }) => path === '/riders'),
      ),
    ).toEqual([])
  })

  it('while an export and an action on many rows are under way, and while it is paused', async () => {
    serveAll()
    const many = [1, 2, 3, 4].map((id) => wireDriver({ id, name: `Driver ${id}` }))
    const [file, answer] = [hold(), hold()]
    serve({
      'GET drivers/': wirePage(many),
      'GET drivers-export-excel/': file.answer,
      'POST driver/:id/suspend/': answer.answer,
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Driver 1')
    await user.click(screen.getByRole('button', { name: 'Export Drivers to Excel' }))
    await user.keyboard('j{Shift>}X{/Shift}s')
    await screen.findByRole('button', { name: 'Pause' })
    const bars = () => {
      rowsOfContext = new WeakMap()
      return screen
        .getAllByRole('button', { name: /^(Pause|Resume|Cancel)$/ })
        .map((one) => [nameOf(one), fault(one, undefined)])
    }
    const faultless = (...names: string[]) => names.map((name) => [name, ''])
    expect(bars()).toEqual(faultless('Cancel', 'Pause', 'Cancel'))
    await user.click(screen.getByRole('button', { name: 'Pause' }))
    expect(bars()).toEqual(faultless('Cancel', 'Resume', 'Cancel'))
  })

  it.each([
    [
      '/riders?page=2',
      ['riders.sortByName', 'riders.toggleName', 'riders.filterBySuspended', 'riders.rows100'],
    ],
    [
      '/riders?page=2',
      ['list.previousPage', 'list.nextPage', 'list.selectAll', 'list.select', 'sidebar.toggle'],
    ],
    ['/riders?page=2&ordering=fullname', ['riders.sortByNameDescending']],
    ['/riders?page=2&ordering=-fullname', ['list.unsort']],
    ['/riders?page=2&filter=suspended,online', ['riders.filterBySuspended', 'list.clearFilters']],
    ['/trips?page=2&filter=driver:12,completed&s=a', ['trips.filterByDriver', 'trips.filterByS']],
    ['/riders/12?page=2', ['list.previousPage', 'list.nextPage', 'riders.transactions']],
    ['/riders/12?page=2&tab=transactions&pageT=2', ['list.previousPage', 'list.nextPage', 'riders.jobs']],
  ])('and changes the same as its command, on %s: %j', async (path, ids) => {
    serveAll()
    const { user } = renderApp({ path })
    const begin = async () => {
      navigate(path)
      store.set(settingsAtom, { ...store.get(settingsAtom), hidden: {}, order: {}, widths: {} })
      store.set(selectionAtom, new Map())
      store.set(sidebarExpandedAtom, true)
      await screen.findByText('Page 2 of 3')
      await isReady()
      act(() => document.querySelector<HTMLElement>('tbody td')?.focus())
    }
    await begin()
    const before = state()
    for (const id of ids) {
      await press(user, id)
      const byMouse = state()
      expect(byMouse, id).not.toBe(before)
      await begin()
      expect(state()).toBe(before)
      const command = commands.find((one) => one.id === id)
      act(() => command && runCommand(command, store.get(contextAtom), 'palette'))
      expect(state(), id).toBe(byMouse)
      await begin()
    }
  })
})

/** Clicks the first control of a command, in its menu if it is in one. */
async function press(user: ReturnType<typeof renderApp>['user'], id: string): Promise<void> {
  const find = () => document.querySelector<HTMLElement>(`[data-command="${id}"]`)
  for (const trigger of document.querySelectorAll<HTMLElement>('[aria-haspopup=menu]')) {
    if (find()) break
    await user.click(trigger)
    if (!find()) await user.keyboard('{Escape}')
  }
  const found = find()
  if (found instanceof HTMLOptionElement)
    await user.selectOptions(found.closest('select') ?? found, found.value)
  else if (found) await user.click(found)
  if (screen.queryByRole('menu')) await user.keyboard('{Escape}')
}

describe('every control of a dialog is reached by Tab, and Escape closes the dialog', () => {
  it.each([
    ['the keyboard shortcuts', '/riders', '?'],
    ['the activity', '/riders', 'gy'],
    ['a form', '/coupons', 'n'],
    ['a form with a picture', '/blogs', 'n'],
    ['a question', '/invoices', 'jc'],
  ])('%s', async (_what, path, keys) => {
    serveAll()
    const { user } = renderApp({ path: `${path}?page=2` })
    await screen.findByText('Page 2 of 3')
    await isReady()
    await user.keyboard(keys)
    const dialog = await screen.findByRole(/^j/.test(keys) ? 'alertdialog' : 'dialog')
    const inside = [...dialog.querySelectorAll<HTMLElement>(`${control},select`)].filter(
      (one) => !one.matches('[hidden],:disabled'),
    )
    expect(inside.length).toBeGreaterThan(0)
    const reached = new Set<Element | null>()
    for (let at = 0; at <= inside.length; at++) {
      reached.add(document.activeElement)
      await user.tab()
    }
    expect(inside.filter((one) => !reached.has(one)).map(nameOf)).toEqual([])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialog.isConnected).toBe(false))
  })
})

/** Each screen with an address that shows it. */
const usable = screens.map((one): [string, Screen] => [one.path.replace(/:\w+/, '12'), one])

describe('every command that is offered is run by the palette', () => {
  it.each(usable)('on %s', async (path, { commands: own }) => {
    serveAll()
    const noun = nouns().find((one) => one.path === path)
    const { user } = renderApp({ path: noun ? `${path}?page=2&filter=id:7` : path })
    await isReady(noun)
    await user.keyboard('j')
    const offered = () => listed.filter((command) => isRunnable(command, store.get(contextAtom)))
    // All are looked for on every screen; those of the whole console are run below.
    expect(offered().length).toBeGreaterThan(15)
    expect(
      offered()
        .filter((command) => !isInPalette(command, store.get(contextAtom), command.about))
        .map(({ id }) => id),
    ).toEqual([])
    for (const command of offered().filter((command) => own.includes(command)))
      await runInPalette(user, command)
  })

  const parts = 4
  const ofConsole = listed.filter((command) => command.list === undefined)
  it.each(Array.from({ length: parts }, (_, part) => part))(
    `among those of the whole console: every ${String(parts)}th from number %i on`,
    async (part) => {
      serveAll()
      const { user } = renderApp({ path: '/riders?page=2&filter=id:7' })
      await isReady(nouns().find((one) => one.path === '/riders'))
      await user.keyboard('j')
      const run = ofConsole.filter(
        (command, nth) => nth % parts === part && isRunnable(command, store.get(contextAtom)),
      )
      expect(run.length).toBeGreaterThan(5)
      for (const command of run) await runInPalette(user, command)
    },
  )
})

/** Types the name of the command and presses Enter on its row. */
async function runInPalette(user: ReturnType<typeof renderApp>['user'], command: Command): Promise<void> {
  const run = vi.spyOn(command, 'run').mockImplementation(() => undefined)
  await user.keyboard('{Control>}k{/Control}')
  const input = screen.getByRole('combobox')
  fireEvent.change(input, { target: { value: `>${command.about}` } })
  const isMarked = () =>
    document.querySelector<HTMLElement>('[role=option][aria-selected=true]')?.dataset['id'] === command.id
  for (let presses = 0; presses < most && !isMarked(); presses++)
    fireEvent.keyDown(input, { key: 'ArrowDown' })
  expect(isMarked(), command.id).toBe(true)
  fireEvent.keyDown(input, { key: 'Enter' })
  const question = screen.queryByRole('alertdialog')
  if (question) fireEvent.click(within(question).getAllByRole('button').at(-1) ?? question)
  expect(run, command.id).toHaveBeenCalledOnce()
  run.mockRestore()
}
