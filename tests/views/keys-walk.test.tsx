import { screen, waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { batchesAtom } from '../../src/commands/batch.ts'
import { busyAtom } from '../../src/commands/run.ts'
import type { Call } from '../support/network.ts'
import { calls, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { seeded } from '../support/random.ts'
import { repeats } from '../support/soak.ts'
import {
  wireCoupon,
  wireDriver,
  wireInvoice,
  wirePage,
  wireSos,
  wireTransaction,
  wireTrip,
} from '../support/wire.ts'

const store = getDefaultStore()
/** How long the next list takes, in ms. */
let loading = 0

const ids = Array.from({ length: 60 }, (_, at) => at + 1)

/** 60 records in pages of 50. */
const listOf =
  (make: (id: number) => object) =>
  async ({ query }: Call) => {
    await wait(loading)
    const page = Number(query['page'] ?? 1)
    const rows = ids.slice((page - 1) * 50, page * 50).map(make)
    return wirePage(rows, { current_page_number: page, total_pages: 2, count: 60 })
  }
const driver = (id: number) => wireDriver({ id, name: `Driver ${id}`, deleted: id % 5 === 0 })

function serveAll(): void {
  const done = { message: 'Done' }
  serve({
    'GET capabilities/': { count: true, page_size: true },
    'GET drivers/': listOf(driver),
    'GET drivers/:id': ({ path }: Call) => driver(Number(path.split('/')[1])),
    'GET drivers/:id/': ({ path }: Call) => driver(Number(path.split('/')[1])),
    'GET drivers/:id/trips/': listOf((id) => wireTrip({ id })),
    'GET drivers/:id/transactions/': listOf((id) => wireTransaction({ transaction_id: String(id) })),
    'GET all-invoices/': listOf((id) => wireInvoice({ id })),
    'GET coupons/': listOf((id) => wireCoupon({ id })),
    'GET sos-lists/': listOf((id) => wireSos({ id })),
    'POST coupons/create/': done,
    'POST coupons/:id/update/': done,
    'POST driver/:id/suspend/': done,
    'POST driver/:id/unfreeze/': done,
    'POST invoice/update/': done,
    'POST sos/:id/handle/': done,
    'POST sos/:id/reopen/': done,
  })
}

/** The record that a change names: `driver 12`. */
function changed({ method, path, body }: Call): string | null {
  if (method !== 'POST') return null
  const [, noun, id] = /^(driver|coupon|sos)s?\/(\d+)\//.exec(path) ?? []
  if (noun !== undefined && id !== undefined) return `${noun} ${id}`
  if (path === 'invoice/update/' && typeof body === 'object' && body !== null && 'invoice_id' in body)
    return `invoice ${String(body.invoice_id)}`
  return null
}

const nouns: Record<string, string> = {
  '/riders': 'driver',
  '/invoices': 'invoice',
  '/coupons': 'coupon',
  '/sos': 'sos',
}

/** Follows what a person sees as selected or focused: the records that a change may name. */
function watch() {
  let chosen = new Set<string>()
  let screenOf = ''
  return () => {
    const { pathname } = new URL(address(), 'http://oms.test')
    const [, rider] = /^\/riders\/(\d+)$/.exec(pathname) ?? []
    if (rider !== undefined) return new Set([`driver ${rider}`])
    const noun = nouns[pathname]
    if (pathname !== screenOf || !screen.queryByRole('group', { name: 'Selection' })) chosen = new Set()
    screenOf = pathname
    if (noun === undefined) return new Set<string>()
    const focused: string[] = []
    for (const row of document.querySelectorAll<HTMLElement>('tbody tr[aria-rowindex]')) {
      const name = `${noun} ${Number(row.getAttribute('aria-rowindex')) - 1}`
      if (row.dataset['active'] === 'true') focused.push(name)
      if (row.getAttribute('aria-selected') === 'true') chosen.add(name)
      else chosen.delete(name)
    }
    return new Set([...chosen, ...focused])
  }
}

/** The dashboard and the lists of customers and trips show no records here. */
const keys = [
  ...['gh', 'gc', 'gt', 'gd', 'gd', 'gi', 'go', 'gu'],
  ...['j', 'j', 'k', 'x', 'x', '{Shift>}X{/Shift}', '{Shift>}X{/Shift}', ']', '[[', '{Enter}', 'o', '.'],
  ...['s', 's', 's', 'u', 'c', 'a', 'dd', 'e', 'n', ',', 'p', '{Escape}'],
]

const inDialogs = ['{Escape}', '{Escape}', '{Enter}', 'j', 's']

const isOpen = () => document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') !== null

/** Waits for the end of changes, and of loading unless the next key is pressed meanwhile. */
const settled = (isHasty: boolean) =>
  waitFor(() => {
    expect(store.get(busyAtom).size + store.get(batchesAtom).length).toBe(0)
    if (isHasty) return
    expect(document.querySelector('[data-loading=true],[aria-busy=true],[data-stale=true]')).toBeNull()
  })

it.each(Array.from({ length: repeats(6, 60) }, (_, at) => at + 1))(
  'random keys on lists and records change only what is focused or selected on screen, seed %i',
  async (seed) => {
    const random = seeded(seed)
    serveAll()
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Driver 1')
    const seen = watch()
    const pressed: string[] = []
    let allowed = seen()
    const note = () => {
      // What a dialog or a menu asks about is what was there when it opened.
      if (!isOpen()) allowed = seen()
    }
    document.addEventListener('keydown', note, { capture: true })
    onTestFinished(() => document.removeEventListener('keydown', note, { capture: true }))
    /** Presses keys and returns the records that they changed. */
    const press = async (key: string, isHasty = false) => {
      const sent = calls.length
      await user.keyboard(key)
      pressed.push(key)
      await settled(isHasty)
      const named = calls.slice(sent).flatMap((call) => changed(call) ?? [])
      expect(
        named.filter((name) => !allowed.has(name)),
        `after ${pressed.join(' ')}`,
      ).toEqual([])
      return named
    }
    for (let step = 0; step < 60; step++) {
      const some = isOpen() ? inDialogs : keys
      loading = random() * 40
      await press(some[Math.floor(random() * some.length)] ?? 'j', random() < 0.5)
    }
    while (isOpen()) await press('{Escape}')
    // The keys still do what they say.
    for (const key of ['gh', 'gi', 'j', 'c']) await press(key)
    expect(await press('{Enter}')).toEqual([...allowed])
  },
)
