import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import { toggleSidebar } from '../../src/commands/app.ts'
import { allNouns } from '../../src/commands/noun.ts'
import { driverHref } from '../../src/commands/nouns/driver.ts'
import type { Command, Context } from '../../src/commands/command.ts'
import { isKeyed, isOffered, targetsOf } from '../../src/commands/command.ts'
import { suspend } from '../../src/commands/nouns/driver.ts'
import { keyOf, spell } from '../../src/commands/keys.ts'
import { lateCommandsAtom } from '../../src/commands/late.ts'
import { listHandleAtom } from '../../src/commands/list.ts'
import { defineChange } from '../../src/commands/mutation.ts'
import { runMutation } from '../../src/commands/run.ts'
import { commands } from '../../src/views/app.tsx'
import { goCommands, recordCommands } from '../../src/views/screen.tsx'
import { screens } from '../../src/views/screens.ts'
import { refuse, serve } from '../support/network.ts'
import { renderApp } from '../support/render-app.tsx'
import { navigation } from '../support/screens.ts'
import { wireAttraction, wireBlog, wireCoupon, wireDriver, wirePage, wirePromo } from '../support/wire.ts'
import { spokenName } from '../support/spoken-name.ts'

const store = getDefaultStore()
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })

/** The contexts to test: with which targets, with or without a list, with or without an undo entry. */
const contexts: [string, Context, { list: boolean; undoable: boolean }][] = [
  ['on the dashboard', { path: '/', targets: [] }, { list: false, undoable: false }],
  ['in a list', { path: '/riders', targets: [] }, { list: true, undoable: false }],
  [
    'on an active driver',
    { path: '/riders', targets: targetsOf({ name: 'driver' }, [jo]) },
    { list: true, undoable: true },
  ],
  [
    'on a suspended driver',
    { path: '/riders', targets: targetsOf({ name: 'driver' }, [amina]) },
    { list: true, undoable: true },
  ],
  [
    'on two drivers',
    { path: '/riders', targets: targetsOf({ name: 'driver' }, [jo, amina]) },
    { list: true, undoable: true },
  ],
  [
    'on a coupon',
    { path: '/coupons', targets: targetsOf({ name: 'coupon' }, [wireCoupon()]) },
    { list: true, undoable: true },
  ],
  [
    'on a promo code',
    { path: '/promos', targets: targetsOf({ name: 'promo' }, [wirePromo()]) },
    { list: true, undoable: true },
  ],
  [
    'on a blog',
    { path: '/blogs', targets: targetsOf({ name: 'blog' }, [wireBlog()]) },
    { list: true, undoable: true },
  ],
  [
    'on an attraction',
    { path: '/attractions', targets: targetsOf({ name: 'attraction' }, [wireAttraction()]) },
    { list: true, undoable: true },
  ],
  [
    'on a detail',
    { path: '/riders/12', targets: targetsOf({ name: 'driver' }, [jo]) },
    { list: false, undoable: true },
  ],
]

async function stand({ list, undoable }: { list: boolean; undoable: boolean }): Promise<void> {
  const nothing = () => undefined
  const rows = {
    toggle: nothing,
    extend: nothing,
    toggleAll: nothing,
    clear: nothing,
    selected: 1,
    column: 0,
    toColumn: nothing,
  }
  const handle = { move: nothing, open: nothing, search: nothing, goTo: nothing }
  store.set(
    listHandleAtom,
    list ? { ...handle, rows: { ...rows, copied: () => 'a row' }, previousPage: 1, nextPage: 3 } : null,
  )
  if (!undoable) return
  defineChange({
    command: 'test.do',
    label: () => 'Do it',
    affects: [],
    perform: () => Promise.resolve({ message: '', hasChanged: true, record: null }),
    inverse: 'test.do',
  })
  const refs = [{ noun: 'test', id: '1', name: 'it' }]
  await runMutation({ command: 'test.do', refs, args: {}, label: 'Do it' })
}

describe('every command', () => {
  it('has a unique id of the form noun.verb', () => {
    const ids = commands.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids.filter((id) => !/^[a-z]+\.[a-z][a-zA-Z0-9]*$/.test(id))).toEqual([])
  })

  it.each(contexts)('has a description and a unique title %s', async (_where, context, place) => {
    await stand(place)
    const offered = commands.filter((command) => isOffered(command, context))
    expect(offered.length).toBeGreaterThan(15)
    expect(offered.filter(({ about }) => !about.trim())).toEqual([])
    expect(offered.map((command) => command.title(context)).filter((title) => !title.trim())).toEqual([])
    expect(new Set(offered.map((command) => command.title(context))).size).toBe(offered.length)
  })

  it('is in the registry once, commands of screens included', () => {
    expect(new Set(commands).size).toBe(commands.length)
    expect(commands).toEqual(expect.arrayContaining([suspend, toggleSidebar, ...recordCommands(screens)]))
  })

  it('that acts on records has their noun in its id and is offered only with a target', async () => {
    await stand({ list: true, undoable: true })
    for (const command of commands.filter(({ noun }) => noun !== undefined)) {
      expect(command.id.split('.')[0]).toBe(command.noun)
      expect(isOffered(command, { path: '/riders', targets: [] })).toBe(false)
      expect(isOffered(command, { path: '/riders', targets: [] })).toBe(false)
    }
  })
})

describe('the nouns', () => {
  const nouns = allNouns()
  it('have unique names, paths, collections and words', () => {
    for (const field of ['name', 'path', 'singular', 'plural'] as const) {
      const values = nouns.map((noun) => noun[field])
      expect(new Set(values).size, field).toBe(nouns.length)
    }
    expect(new Set(nouns.map(({ calls }) => calls.collection)).size).toBe(nouns.length)
  })

  it('each have a screen that lists their records', () => {
    const paths = screens.map(({ path }) => path)
    expect(nouns.filter(({ path }) => !paths.includes(path))).toEqual([])
  })

  it('are the prefix in the ids of their commands', () => {
    const owned = nouns.flatMap(({ name, commands }) => commands.map(({ id }) => [name, id.split('.')[0]]))
    expect(owned.filter(([name, prefix]) => name !== prefix)).toEqual([])
  })

  it('are listed nowhere: no file of src contains more than three names of other nouns as texts', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    )
    const lists = files.filter((file) => {
      const said = new Set(readFileSync(join('src', file), 'utf8').match(/(?<=')[a-z]+(?=')/g))
      const others = nouns.filter(({ name }) => file !== join('commands', 'nouns', `${name}.ts`))
      const names = others.flatMap(({ name, calls }) => [name, calls.collection])
      return names.filter((name) => said.has(name)).length > 3
    })
    expect(lists).toEqual([])
  })
})

describe('the keys', () => {
  it.each(contexts)('are unique among commands offered together %s', async (_where, context, place) => {
    await stand(place)
    const keys = commands.flatMap((command) =>
      command.keys && isKeyed(command, context) ? [command.keys] : [],
    )
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  })

  it('are not the beginning of other keys', () => {
    const keys = [...new Set(commands.flatMap(({ keys }) => keys ?? []))]
    const shadowed = keys.filter((key) => keys.some((other) => other.startsWith(`${key} `)))
    expect(shadowed).toEqual([])
  })

  // Keys of browsers and text fields that a page cannot prevent or should not take away.
  const reserved = [
    ...'adfhjlnopqrstuwcvxy0123456789'.split('').map((key) => `mod+${key}`),
    ...'bcijknoprtw'.split('').map((key) => `mod+shift+${key}`),
    ...['tab', 'enter', 'space', 'escape', '+', '-', '=', 'pageup', 'pagedown'].map((key) => `mod+${key}`),
    ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
    ...['tab', 'shift+tab', 'escape', 'space', 'backspace', 'delete'],
    ...['arrowup', 'arrowdown', 'arrowleft', 'arrowright', 'home', 'end', 'pageup', 'pagedown'],
  ]
  it('contain no key that browsers or text fields use', () => {
    const chords = commands.flatMap(({ keys }) => keys?.split(' ') ?? [])
    expect(chords.filter((chord) => reserved.includes(chord))).toEqual([])
  })

  it('are spelled as keyOf names the key events of a keyboard', () => {
    for (const chord of new Set(commands.flatMap(({ keys }) => keys?.split(' ') ?? []))) {
      const parts = chord.split('+')
      const name = parts.at(-1) ?? ''
      const event = new KeyboardEvent('keydown', {
        key: parts.includes('shift') ? name.toUpperCase() : name === 'enter' ? 'Enter' : name,
        ctrlKey: parts.includes('mod'),
        shiftKey: parts.includes('shift') || name === '?',
      })
      expect(keyOf(event)).toBe(chord)
    }
  })
})

describe('the screens', () => {
  const paths = [
    ['S2.a.1', '/'],
    ['S2.a.2', '/riders'],
    ['S2.a.3', '/riders/:riderID'],
    ['S2.a.4', '/customers'],
    ['S2.a.5', '/staff'],
    ['S2.a.6', '/vehicles'],
    ['S2.a.7', '/trips'],
    ['S2.a.8', '/invoices'],
    ['S2.a.9', '/invites'],
    ['S2.a.10', '/bookings'],
    ['S2.a.11', '/attractions'],
    ['S2.a.12', '/attractions/:attractionID'],
    ['S2.a.13', '/blogs'],
    ['S2.a.14', '/coupons'],
    ['S2.a.15', '/promos'],
    ['S2.a.16', '/sos'],
  ]
  it.each(paths)('have exactly one entry for the path of %s, %s', (_clause, path) => {
    expect(screens.filter((screen) => screen.path === path)).toHaveLength(1)
  })

  it('have no other paths; those of drivers begin with /riders (S2.a.19)', () => {
    expect(screens.map(({ path }) => path).sort()).toEqual(paths.map(([, path]) => path).sort())
    expect(driverHref(12)).toBe('/riders/12')
  })

  it('have the titles and the order of the side navigation (S2.b.2)', () => {
    const entries = screens.filter(({ icon }) => icon).map(({ title, path }) => [title, path])
    expect(entries).toEqual(navigation.map(([title, path]) => [title, path]))
  })

  it('share an icon where the specification says so, and nowhere else (S2.b.2)', () => {
    const sharing = Map.groupBy(
      screens.filter(({ icon }) => icon),
      ({ icon }) => icon,
    )
    const shared = [...sharing.values()].map((group) => group.map(({ title }) => title))
    expect(shared.filter(({ length }) => length > 1)).toEqual([
      ['Drivers', 'Vehicles'],
      ['Blogs', 'Coupons'],
    ])
  })

  it('of the side navigation each have a command that goes there, with keys such as g d', () => {
    const chords = goCommands(screens).map((go) => [go.title({ path: '/', targets: [] }), go.keys])
    expect(chords.map(([title]) => title)).toEqual(
      screens.filter(({ icon }) => icon).map(({ title }) => title),
    )
    expect(chords.filter(([, keys]) => !/^g [a-z]$/.test(keys ?? ''))).toEqual([])
  })
})

describe('every control for the mouse', () => {
  /** By the name of a control, the command that does the same under another title. */
  const commandOf: Record<string, string> = {
    'Toggle the sidebar': 'sidebar.toggle',
    'Open the sidebar': 'sidebar.toggle',
    'Search or run a commandCtrl K': 'palette.open',
    'Previous page': 'list.previousPage',
    'Next page': 'list.nextPage',
    Logout: 'session.logout',
    Retry: 'view.reload',
  }
  /** Controls that need no command: they only open or close something, or repeat the command for undo. */
  const ownKeyboard = ['Account of asha@twende.test', 'Close', 'Undo', 'Columns']

  const names = (role: string, root = document.body) => within(root).queryAllByRole(role).map(spokenName)
  const commandNamed = (name: string, context: Context): Command | undefined =>
    commands.find(
      (command) =>
        command.id === commandOf[name] || (isOffered(command, context) && command.title(context) === name),
    )
  const withoutCommand = (found: string[], context: Context) =>
    found.filter((name) => !ownKeyboard.includes(name) && !commandNamed(name, context))

  const on = (...drivers: (typeof jo)[]): Context => ({
    path: '/riders',
    targets: targetsOf({ name: 'driver' }, drivers),
  })

  it('in a list has a command', async () => {
    serve({ 'GET drivers/': wirePage([jo, amina], { current_page_number: 2, total_pages: 3 }) })
    const { user } = renderApp({ path: '/riders?page=2' })
    await screen.findByText('Jo Kamau')
    await user.click(screen.getByRole('button', { name: /^Account/ }))
    const found = [...names('button'), ...names('menuitem')]
    expect(found).toEqual(expect.arrayContaining(['Suspend Jo Kamau', 'Unsuspend Amina Yusuf', 'Logout']))
    expect(withoutCommand(found, on(jo, amina))).toEqual([])
    expect(withoutCommand(['Open Jo Kamau'], on(jo))).toEqual([])
  })

  it.each<[string, string, Context['targets']]>([
    ['/coupons', 'coupons/', targetsOf({ name: 'coupon' }, [wireCoupon({ id: 5, code: 'SAVE50' })])],
    ['/promos', 'promo-codes/', targetsOf({ name: 'promo' }, [wirePromo({ id: 5 })])],
    ['/blogs', 'blogs-adm/', targetsOf({ name: 'blog' }, [wireBlog({ id: 5 })])],
    ['/attractions', 'attractions/all/', targetsOf({ name: 'attraction' }, [wireAttraction({ id: 5 })])],
  ])('on %s has a command', async (path, list, targets) => {
    serve({ [`GET ${list}`]: wirePage(targets.map(({ row }) => row)) })
    renderApp({ path })
    await screen.findByRole('button', { name: /^Delete/ })
    expect(withoutCommand(names('button'), { path, targets })).toEqual([])
  })

  it('in a list that could not be loaded has a command', async () => {
    serve({ 'GET drivers/': () => refuse(400) })
    renderApp({ path: '/riders' })
    await screen.findByRole('button', { name: 'Retry' })
    expect(withoutCommand(names('button'), on())).toEqual([])
  })

  it('on the dashboard has a command', async () => {
    serve({ 'GET analytics/': () => refuse(400) })
    renderApp()
    await screen.findByRole('button', { name: 'Retry' })
    expect(withoutCommand(names('button'), { path: '/', targets: [] })).toEqual([])
  })

  it('in the details of a driver has a command', async () => {
    serve({
      'GET drivers/:id': jo,
      'GET drivers/:id/trips/': wirePage([]),
      'GET drivers/:id/transactions/': wirePage([]),
    })
    renderApp({ path: '/riders/12' })
    const found = names('button', await screen.findByRole('region', { name: 'Driver' }))
    expect(found).toEqual(['Suspend Jo Kamau'])
    expect(withoutCommand(found, on(jo))).toEqual([])
  })

  it('in the side navigation has a command', () => {
    renderApp({ path: '/trips' })
    const links = names('link', screen.getByRole('navigation', { name: 'Main' }))
    expect(links).toHaveLength(14)
    expect(withoutCommand(links, { path: '/trips', targets: [] })).toEqual([])
  })
})

describe('the help', () => {
  it('lists exactly the commands that have keys', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    const listed = within(dialog)
      .getAllByRole('term')
      .map((term) => {
        const caps = [...(term.nextElementSibling?.querySelectorAll('kbd') ?? [])]
        return [term.textContent, ...caps.map((cap) => cap.textContent)].join(' | ')
      })
    const declared = [...commands, ...store.get(lateCommandsAtom)].flatMap(({ about, keys }) =>
      keys ? [[about, ...spell(keys, false)].join(' | ')] : [],
    )
    expect(listed.sort()).toEqual(declared.sort())
  })

  it('groups the commands by where they apply', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('?')
    const group = async (name: string) => within(await screen.findByRole('region', { name }))
    expect((await group('Go to')).getByText('Vehicles')).toBeTruthy()
    expect((await group('In a list')).getByText('Next row')).toBeTruthy()
    expect((await group('On a driver')).getByText('Suspend the driver')).toBeTruthy()
    expect((await group('Everywhere')).getByText('Toggle the sidebar')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
