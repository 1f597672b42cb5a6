import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../src/api/query-client.ts'
import { targetsOf } from '../../../src/commands/command.ts'
import { targetsAtom } from '../../../src/commands/context.ts'
import { driver, nameOrPhone } from '../../../src/commands/nouns/driver.ts'
import { Palette } from '../../../src/views/palette/palette.tsx'
import { dialogAtom } from '../../../src/state/dialog.ts'
import { navigate } from '../../../src/state/location.ts'
import { commands } from '../../../src/views/app.tsx'
import { calls, lose, refuse, serve } from '../../support/network.ts'
import type { Call } from '../../support/network.ts'
import { seeded } from '../../support/random.ts'
import '../../support/app-setup.ts'
import { repeats } from '../../support/soak.ts'
import { address } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

/** Names with equal beginnings, phone numbers with equal digits, and duplicate names: all are easy to confuse. */
const names = [
  'Ann Kamau',
  'Anna Kamau',
  'Ann Kariuki',
  'Kamau Ann',
  'Ann Kamau',
  'Vera Trip',
  'Sosi Bok',
  'Stella An',
  'Gona Open',
]
const drivers = Array.from({ length: 64 }, (_, index) =>
  wireDriver({ id: index + 1, name: names[index % names.length] ?? '', deleted: index % 5 === 0 }),
)
const texts = [
  ...[
    'ann kamau',
    'anna',
    'ann k',
    'kamau',
    'kar',
    'stella',
    '0710000',
    '+2547100000',
    '254710',
    '071000001',
  ],
  // The last two match more commands than the list can show together with the drivers.
  ...['vehi', 'trip', 'sos', 'zzz', 'go', 'open'],
]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const rows = () => [...document.querySelectorAll<HTMLElement>('[cmdk-item]')]
const idOf = (row: HTMLElement | undefined) => row?.dataset['id']
/** The ids of the places of the list from the top; undefined for room that is kept for a row to come. */
const places = () =>
  [...document.querySelectorAll<HTMLElement>('[cmdk-list-sizer] > *')].map((place) => idOf(place))
const marked = () => rows().filter((row) => row.getAttribute('aria-selected') === 'true')
// By selector: finding by role computes every style, too slow for thousands of steps.
const isOpen = () => document.querySelector('[role=dialog]') !== null
function input(): HTMLInputElement {
  const found = document.querySelector<HTMLInputElement>('[cmdk-input]')
  if (!found) throw new Error('The palette is closed.')
  return found
}

const type = (value: string) => fireEvent.change(input(), { target: { value } })

/** Advances the fake clock by `time` ms, and lets the timers and requests that are due finish. */
async function pass(time: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(time)
    await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(0)
  })
}

/** Checks that the drivers on screen match the typed text, and that exactly one row is highlighted. */
function checkRows(chosen: string | null): void {
  expect(rows().length).toBeLessThanOrEqual(20)
  expect(new Set(rows().map(idOf)).size).toBe(rows().length)
  expect(marked()).toHaveLength(rows().length ? 1 : 0)
  if (chosen) return
  const asked = nameOrPhone(input().value.trim())
  for (const row of rows()) {
    const shown = drivers.find(({ id }) => idOf(row) === `driver:${id}`)
    if (!shown) continue
    expect(shown.user.fullname.toLowerCase()).toContain(asked.s.toLowerCase())
    expect(shown.user.phone_number).toContain(asked.phone)
  }
}

/** The drivers that are selected in the list below the palette. */
let selected: readonly (typeof drivers)[number][] = []

/** The calls of a command on the driver that was entered with Tab, or on the selected ones that it applies to. */
function callsOf(command: string, chosen: string | null): string[] {
  const isSuspending = command === 'driver.suspend'
  const ids = chosen
    ? [chosen]
    : selected.filter(({ deleted }) => deleted !== isSuspending).map(({ id }) => String(id))
  return ids.map((id) => `driver/${id}/${isSuspending ? 'suspend' : 'unfreeze'}/`)
}

/** Presses the key and checks that the action of the highlighted row ran, and no other. */
async function execute(key: 'Enter' | 'Tab', chosen: string | null): Promise<string | null> {
  const painted = idOf(marked()[0])
  const isUntyped = input().value === ''
  const posted = calls.filter(({ method }) => method === 'POST').length
  fireEvent.keyDown(input(), { key })
  const sent = async () => {
    // One call after the other.
    for (let times = 0; times <= selected.length; times++) await pass(0)
    return calls
      .filter(({ method }) => method === 'POST')
      .slice(posted)
      .map(({ path }) => path)
  }
  if (key === 'Tab') {
    expect(isOpen()).toBe(true)
    expect(await sent()).toEqual([])
    const [, id] = /^driver:(\d+)$/.exec(painted ?? '') ?? []
    // What was opened before is listed by its address, so its commands are not known.
    if (id === undefined || isUntyped) return chosen
    const offered = drivers.find((one) => String(one.id) === id)
    expect(rows().every((row) => row.textContent.includes(offered?.user.fullname ?? '?'))).toBe(true)
    return id
  }
  const going = /^go\.(.*)$/.exec(painted ?? '')?.[1]
  const opened = /^driver:(\d+)$/.exec(painted ?? '')?.[1]
  if (painted === undefined) {
    expect([isOpen(), address(), await sent()]).toEqual([true, '/start', []])
  } else if (going !== undefined) {
    expect([isOpen(), address(), await sent()]).toEqual([
      false,
      going === 'dashboard' ? '/' : `/${going}`,
      [],
    ])
  } else if (opened !== undefined || painted === 'driver.open') {
    expect([isOpen(), address(), await sent()]).toEqual([false, `/riders/${opened ?? chosen}`, []])
  } else {
    expect([isOpen(), address(), await sent()]).toEqual([false, '/start', callsOf(painted, chosen)])
  }
  return chosen
}

/** Whether the effect of a row can be checked by the address or by a call. */
const isTelling = (id: string | undefined) =>
  id === undefined || /^(go\.|driver:|driver\.(open|suspend|unsuspend)$)/.test(id)

async function run(seed: number): Promise<void> {
  const random = seeded(seed)
  const pick = <T,>(items: readonly T[]) => items[Math.floor(random() * items.length)]
  const answer = async ({ query }: Call) => {
    await new Promise((resolve) => setTimeout(resolve, Math.floor(random() ** 2 * 2000)))
    const chance = random()
    if (chance < 0.06) lose()
    if (chance < 0.12) return refuse(500)
    const { s = '', phone = '' } = query
    return wirePage(
      drivers.filter(
        ({ user }) =>
          user.fullname.toLowerCase().includes(s.toLowerCase()) && user.phone_number.includes(phone),
      ),
    )
  }
  const done = ({ path }: Call) => ({ message: path })
  serve({ 'GET drivers/': answer })
  // Digits are asked for as ids too; here they are the beginnings of phone numbers.
  serve({ 'GET drivers/:id': () => refuse(404), 'GET attractions/all/:id/': () => refuse(404) })
  serve({ 'POST driver/:id/suspend/': done, 'POST driver/:id/unfreeze/': done })
  navigate('/start', { replace: true })
  // Every other run begins with up to eight drivers selected, suspended ones among them.
  const from = Math.floor(random() * 50)
  selected = seed % 2 === 0 ? drivers.slice(from, from + 2 + Math.floor(random() * 7)) : []
  act(() => getDefaultStore().set(targetsAtom, targetsOf(driver, selected)))
  act(() => getDefaultStore().set(dialogAtom, { kind: 'palette' }))

  let chosen: string | null = null
  let text = pick(selected.length > 0 && random() < 0.5 ? ['suspend', 'unsuspend', ''] : texts) ?? ''
  for (let step = 0; step < 60 && isOpen(); step++) {
    const before = idOf(marked()[0])
    const typed = input().value
    const chance = random()
    if (chance < 0.38) {
      if (typed === text && random() < 0.3) text = pick(chosen ? ['sus', 'open', 'un', ''] : texts) ?? ''
      const more = text.slice(0, typed.length + Math.ceil(random() * 3))
      type(text.startsWith(typed) ? more : typed.slice(0, -1))
    } else if (chance < 0.44) {
      type(typed.slice(0, -1))
    } else if (chance < 0.56) {
      fireEvent.keyDown(input(), { key: random() < 0.8 ? 'ArrowDown' : 'ArrowUp' })
    } else if (chance < 0.84) {
      const painted = places()
      await pass(Math.floor(random() * (pick([60, 300, 2200]) ?? 0)))
      // Rows on screen keep their place until the person types; new rows take the room that is kept, or come below.
      const now = places()
      expect(painted.map((id, at) => id !== undefined && id !== now[at] && id).filter(Boolean)).toEqual([])
      // Without input, the highlight stays on its row.
      if (before !== undefined) expect(idOf(marked()[0])).toBe(before)
    } else if ((typed || chosen || selected.length > 0) && isTelling(before)) {
      const entered: string | null = chosen
      chosen = await execute(random() < 0.6 && !chosen ? 'Tab' : 'Enter', chosen)
      if (chosen !== entered) text = pick(['sus', 'open', 'un', '']) ?? ''
    }
    if (isOpen()) checkRows(chosen)
  }
  if (isOpen()) {
    await pass(5000)
    if (isTelling(idOf(marked()[0]))) await execute('Enter', chosen)
  }
  // The first Escape may only leave the actions of a driver.
  for (let presses = 0; isOpen() && presses < 2; presses++) fireEvent.keyDown(input(), { key: 'Escape' })
  expect(isOpen()).toBe(false)
  await pass(5000)
  queryClient.clear()
}

test.each(Array.from({ length: repeats(5, 50) }, (_, batch) => batch * 10))(
  'in whatever order answers arrive, Enter and Tab act on the highlighted row on screen: 10 runs from seed %i',
  async (first) => {
    render(
      <QueryClientProvider client={queryClient}>
        <Palette icons={new Map()} prefetch={() => Promise.resolve()} commands={commands} />
      </QueryClientProvider>,
    )
    for (let seed = first; seed < first + 10; seed++)
      await run(seed).catch((error: unknown) => {
        throw new Error(`The run with seed ${seed} failed.`, { cause: error })
      })
  },
  60_000,
)
