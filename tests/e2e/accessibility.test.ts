import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Driver, Page as PageOf } from '../../src/api/contract.ts'
import { faultsOf } from '../support/axe.ts'
import { press, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()
/** Without animations: in the middle of one, colours have less contrast. */
const open = (path: string, options: Parameters<typeof twende.open>[1]) =>
  twende.open(path, { ...options, reducedMotion: 'reduce' })

describe.each(['light', 'dark'] as const)('in the %s theme axe reports no violation', (colorScheme) => {
  const options = { colorScheme }

  test('on the login page, before and after a failed login', async () => {
    const page = await open('/login', { ...options, signedIn: false, answers: true })
    expect(await faultsOf(page)).toEqual([])
    await page.route('**/oms/login/', (route) => route.fulfill({ json: {} }))
    await page.getByLabel('Email').fill('a@b.test')
    await page.getByLabel('Password').fill('x')
    await press(page, 'Enter')
    await toasts(page).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('on the dashboard, in the account menu and in the palette', async () => {
    const page = await open('/', options)
    await page.getByText('Ksh').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menu').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, 'Escape', 'Control+k')
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.type('25416')
    await page.locator('[data-id^="driver:"]').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.type('xyz')
    await page.getByText('Nothing found').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('in the palette with results, and Chromium exposes them as a list with groups, counted politely', async () => {
    const page = await open('/riders?size=25', options)
    await page.getByRole('grid').waitFor()
    await press(page, 'Control+k')
    await page.keyboard.type('25416')
    await page.locator('[data-id^="driver:"]').first().waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ results?$/ })
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    const tree = await treeOf(page)
    const combobox = tree.find(({ role, name }) => role === 'combobox' && name === 'Commands')
    const list = tree.find(({ role, name }) => role === 'listbox' && name === 'Results')
    const found = tree.filter(({ role, path }) => role === 'option' && path.includes('listbox Results'))
    expect(combobox?.properties.get('focused')?.value).toBe(true)
    expect(list).toBeDefined()
    expect(found.length).toBeGreaterThan(1)
    expect(
      found.filter(({ path }) => !/^group (Commands|Screens|Lists|Records)$/.test(path[0] ?? '')),
    ).toEqual([])
    expect(found.filter(({ name }) => !/^.+, .+$/.test(name))).toEqual([])
    const [active] = combobox?.properties.get('activedescendant')?.relatedNodes ?? []
    expect(active?.backendDOMNodeId).toBe(found[0]?.element)
    const status = tree.find(
      ({ role, path, text }) => role === 'status' && path.some((one) => one.startsWith('dialog')) && text,
    )
    expect(status?.text).toBe(`${found.length} result${found.length === 1 ? '' : 's'}`)
    expect(status?.properties.get('live')?.value).toBe('polite')
  })

  test('on the drivers list with a toast and a failed row, and in the row commands, the activity and the help', async () => {
    twende.expectTrouble(/status of 409/)
    const { results } = await twende.read('drivers/', PageOf(Driver))
    const [failing, working] = results.filter(({ deleted }) => !deleted)
    const page = await open('/riders?size=25', { ...options, answers: true })
    await page.getByRole('grid').waitFor()
    await press(page, 'j', 'j')
    await page.route(`**/driver/${failing?.id}/suspend/`, (route) => route.fulfill({ status: 409, json: {} }))
    for (const driver of [failing, working])
      await page.getByRole('button', { name: `Suspend ${driver?.user.fullname}`, exact: true }).click()
    await toasts(page).getByText('has been suspended').waitFor()
    await page.getByRole('img', { name: 'The last action on this row failed' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, '.')
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, 'Escape', 'g', 'y')
    await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, 'Escape', '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, 'Escape', 'Control+z')
    await toasts(page).getByText('has been unsuspended').waitFor()
  })

  test('in the forms with suggested places and with a picked, a refused, an uploading and a waiting image', async () => {
    twende.expectTrouble(/status of 415/)
    const page = await open('/attractions', { ...options, answers: true })
    const form = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add attraction' }).click()
    await form.getByLabel('Location').fill('karura')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await form.getByLabel('Cover photo').setInputFiles('docs/console.png')
    await form.getByAltText('Preview of console.png').waitFor()
    expect(await faultsOf(page)).toEqual([])
    // The first Escape closes the suggestions, the second the form.
    await press(page, 'Escape', 'Escape')
    await page.getByRole('link', { name: 'Blogs' }).click()
    await page.getByRole('button', { name: 'Create Blog' }).click()
    await form
      .getByLabel('Cover image')
      .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await form.getByRole('button', { name: 'Retry upload of a.svg' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.route('**/v0/b/oms/o?name=*', () => Promise.resolve())
    await form.getByLabel('Cover image').setInputFiles('docs/console.png')
    await page.getByRole('progressbar').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await form.getByText('Waiting for the network…').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('on the driver detail, in both tabs', async () => {
    const page = await open('/riders/1', options)
    await page.getByRole('list', { name: 'Jobs history' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('tab', { name: 'Transactions history' }).click()
    await page.getByRole('list', { name: 'Transactions history' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('on the driver detail with a picture enlarged', async () => {
    const page = await open('/riders/1', options)
    await page.getByRole('button', { name: 'ID front image' }).click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test.each([1440, 390])('beside a list and in the panel of its focused row, %i px wide', async (width) => {
    const page = await open('/customers', { ...options, viewport: { width, height: 900 } })
    await page.getByRole('grid').waitFor()
    await press(page, 'j', 'Enter')
    await page.getByRole(width < 1024 ? 'dialog' : 'complementary').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('on an empty list, a failed dashboard, the open sidebar at 700 px and the not-found page', async () => {
    twende.expectTrouble(/status of 500/)
    const page = await open('/riders?s=zzqqxx', { ...options, answers: true })
    await page.getByText('No Drivers to display').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.route('**/oms/analytics/', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.setViewportSize({ width: 700, height: 800 })
    await page.getByRole('button', { name: 'Open the sidebar' }).click()
    await page.getByRole('link', { name: 'Trips', exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto(`${twende.url}/no-such-page`)
    await page.getByText('OOPS!').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
})

describe('with reduced motion', () => {
  test('another theme colours everything at once, nested texts and controls too', async () => {
    const page = await open('/riders?size=25', { reducedMotion: 'reduce' })
    await page.locator('tbody tr[data-index]').first().waitFor()
    const looks = () =>
      page.evaluate(() => ({
        moving: document.getAnimations().length,
        // Of the pager: its text, and the control inside a label inside it.
        colours: ['nav[aria-label^=Pages]', 'nav[aria-label^=Pages] select'].map(
          (selector) => getComputedStyle(document.querySelector(selector) ?? document.body).color,
        ),
      }))
    const light = await looks()
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await looks()
    expect(dark).toEqual(await looks())
    expect(dark.moving).toBe(0)
    expect(dark.colours).not.toEqual(light.colours)
  })

  test('no animation or transition lasts longer than one frame (16 ms)', async () => {
    const page = await open('/riders?size=25', { reducedMotion: 'reduce' })
    await page.getByRole('grid').waitFor()
    const longest = () =>
      page.evaluate(() =>
        Math.max(
          0,
          ...[...document.querySelectorAll('*')].flatMap((element) => {
            const { animationDuration, transitionDuration } = getComputedStyle(element)
            return [animationDuration, transitionDuration].flatMap((list) => list.split(',').map(parseFloat))
          }),
        ),
      )
    expect(await longest()).toBeLessThan(0.016)
    await press(page, 'Control+k')
    await page.getByRole('dialog').waitFor()
    expect(await longest()).toBeLessThan(0.016)
    expect(await faultsOf(page)).toEqual([])
  })
})

test('with forced colours an outline shows what Enter chooses in the palette and in a menu', async () => {
  const page = await twende.open('/riders')
  await page.emulateMedia({ forcedColors: 'active' })
  const outlines = (marked: string) =>
    page.locator(marked).evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle))
  await press(page, 'Control+k')
  await page.getByRole('option').first().waitFor()
  expect(await outlines('[role=option][aria-selected=true]')).toEqual(['solid'])
  await press(page, 'Escape')
  await page.getByRole('button', { name: 'Columns' }).press('ArrowDown')
  await page.getByRole('menuitemcheckbox').first().waitFor()
  expect(await outlines('[role=menu] [data-highlighted]')).toEqual(['solid'])
})

/** What Chromium tells screen readers: its accessibility tree, without what they do not see. */
async function treeOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  type Node = (typeof nodes)[number]
  const valueOf = (value: Node['name']) => (typeof value?.value === 'string' ? value.value : '')
  const parents = ({ parentId = '' }: Node): Node[] => {
    const parent = byId.get(parentId)
    if (!parent) return []
    return parent.ignored ? parents(parent) : [parent, ...parents(parent)]
  }
  const textOf = (node: Node): string =>
    valueOf(node.role) === 'StaticText'
      ? valueOf(node.name)
      : (node.childIds ?? [])
          .map((id) => {
            const child = byId.get(id)
            return child ? textOf(child) : ''
          })
          .join('')
  return nodes
    .filter(({ ignored }) => !ignored)
    .map((node) => ({
      role: valueOf(node.role),
      name: valueOf(node.name),
      text: textOf(node),
      /** Role and name of what it is in, the nearest first. */
      path: parents(node).map(({ role, name }) => `${valueOf(role)} ${valueOf(name)}`),
      element: node.backendDOMNodeId,
      properties: new Map(node.properties?.map(({ name, value }) => [name, value] as const)),
    }))
}
