import { QueryObserver } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { getDefaultStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { capabilitiesAtom } from '../../src/api/config.ts'
import { mutate } from '../../src/api/client.ts'
import { queryClient } from '../../src/api/query-client.ts'
import { forgetWithSession, undoLast } from '../../src/commands/app.ts'
import { batchesAtom } from '../../src/commands/batch.ts'
import { fieldErrorsOf } from '../../src/commands/field-errors.ts'
import type { Context } from '../../src/commands/command.ts'
import { targetsOf } from '../../src/commands/command.ts'
import type { Change } from '../../src/commands/mutation.ts'
import { defineChange } from '../../src/commands/mutation.ts'
import { driver, suspend, unsuspend } from '../../src/commands/nouns/driver.ts'
import { busyAtom, faultsAtom, forgetRuns, runMutation, runTask, undo } from '../../src/commands/run.ts'
import { statusAtom } from '../../src/commands/status.ts'
import { forgetUndo, loadUndo, undoAtom } from '../../src/commands/undo.ts'
import { activityAtom } from '../../src/state/activity.ts'
import { endSession, sessionAtom, startSession } from '../../src/state/session.ts'
import Toasts from '../../src/views/shell/toast.tsx'
import { callsTo, hold, lose, refuse, refuseFields, serve } from '../support/network.ts'
import { wireDriver } from '../support/wire.ts'

const store = getDefaultStore()
const failed = 'An error occured!. Driver could not be unsuspended'
const suspended = 'POST driver/:id/suspend/'
const unfrozen = 'POST driver/:id/unfreeze/'
const updated = 'POST attractions/all/:id/'

const on = (...drivers: ReturnType<typeof wireDriver>[]): Context => ({
  path: '/riders',
  targets: targetsOf(driver, drivers),
})
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })
const remove = (id: string) =>
  runMutation({
    command: 'attraction.delete',
    refs: [{ noun: 'attraction', id, name: `place ${id}` }],
    args: {},
    label: `Delete place ${id}`,
  })
const keys = (route: string) => callsTo(route).map(({ headers }) => headers.get('idempotency-key'))
const activity = () => store.get(activityAtom).map(({ what, outcome, detail }) => [what, outcome, detail])
const labels = () => store.get(undoAtom).map(({ label }) => label)

beforeEach(() => {
  startSession({ token: 'abc', email: 'asha@twende.test' })
  render(<Toasts />)
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the toast', () => {
  it("shows the server's message after suspending and after unsuspending (S8.2)", async () => {
    serve({ [suspended]: { message: 'Rider 12 suspended' }, [unfrozen]: { message: 'Rider 7 is back' } })
    await suspend.run(on(jo))
    expect(await screen.findByText('Rider 12 suspended')).toBeTruthy()
    await unsuspend.run(on(amina))
    expect(await screen.findByText('Rider 7 is back')).toBeTruthy()
  })

  it('says what was done if the server sends no message', async () => {
    serve({ [suspended]: () => new Response(null, { status: 204 }) })
    await suspend.run(on(jo))
    expect(await screen.findByText('Done: Suspend Jo Kamau')).toBeTruthy()
  })

  it.each([
    ['suspending', suspend, jo],
    ['unsuspending', unsuspend, amina],
  ])('shows the same text for both after a failure of %s (S8.1)', async (_what, command, driver) => {
    serve({ [suspended]: () => refuse(500), [unfrozen]: () => refuse(500) })
    await command.run(on(driver))
    expect(await screen.findByText(failed)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('does not appear after a failure for which the specification has no text (S8.11)', async () => {
    const done = await runChange('Delete a blog', () => Promise.reject(new Error('refused')))
    expect(done).toBe(false)
    expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
    expect(activity()).toEqual([['Delete a blog', 'failed', 'refused']])
  })
})

describe('while a request runs', () => {
  it('only its record is busy (S2.d.3)', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer })
    const run = suspend.run(on(jo))
    expect([...store.get(busyAtom)]).toEqual(['driver:12'])
    reply.give({})
    await run
    expect([...store.get(busyAtom)]).toEqual([])
  })

  it('the busy state of its record ends after a failure too (S8.1)', async () => {
    serve({ [suspended]: lose })
    await suspend.run(on(jo))
    expect([...store.get(busyAtom)]).toEqual([])
  })

  it('the same action and its inverse on the same record are ignored (R8)', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer, [unfrozen]: {} })
    const first = suspend.run(on(jo))
    await Promise.all([suspend.run(on(jo)), unsuspend.run(on({ ...jo, deleted: true }))])
    reply.give({})
    await first
    expect(callsTo(suspended)).toHaveLength(1)
    expect(callsTo(unfrozen)).toHaveLength(0)
    expect(labels()).toEqual(['Suspend Jo Kamau'])
  })

  it('another record can be acted on', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer, [unfrozen]: {} })
    const first = suspend.run(on(jo))
    await unsuspend.run(on(amina))
    expect(callsTo(unfrozen)).toHaveLength(1)
    expect([...store.get(busyAtom)]).toEqual(['driver:12'])
    reply.give({})
    await first
  })
})

describe('a failed action', () => {
  it('marks its record until the next success (R3)', async () => {
    serve({ [suspended]: () => refuse(500) })
    await suspend.run(on(jo))
    expect([...store.get(faultsAtom)]).toEqual(['driver:12'])
    await suspend.run(on(jo))
    expect([...store.get(faultsAtom)]).toEqual(['driver:12'])
    serve({ [suspended]: {} })
    await suspend.run(on(jo))
    expect([...store.get(faultsAtom)]).toEqual([])
  })

  it.each<[string, () => unknown, string]>([
    ['status and message of a 409', () => refuse(409, 'Busy with a trip'), '409 Busy with a trip'],
    ['only the status of a web page', () => new Response('<html>', { status: 502 }), '502'],
    ['only the status without a text', () => Response.json({ message: { deep: 1 } }, { status: 400 }), '400'],
  ])('is in the activity with its reason: %s (R6)', async (_what, answer, detail) => {
    serve({ [suspended]: answer })
    await suspend.run(on(jo))
    expect(activity()).toEqual([['Suspend Jo Kamau', 'failed', detail]])
  })

  it('is in the activity with the reason of a network failure (R6)', async () => {
    serve({ [suspended]: lose })
    await suspend.run(on(jo))
    expect(activity()).toEqual([['Suspend Jo Kamau', 'failed', expect.stringMatching(/\w/)]])
  })

  it('ends the session on a 401 and does not reject', async () => {
    serve({ [suspended]: () => refuse(401) })
    await suspend.run(on(jo))
    expect(store.get(sessionAtom)).toBeNull()
    expect(activity()).toEqual([['Suspend Jo Kamau', 'failed', '401']])
  })
})

it("a successful action is in the activity with the server's message (R6)", async () => {
  serve({ [suspended]: { message: 'Rider 12 suspended' } })
  await suspend.run(on(jo))
  expect(activity()).toEqual([['Suspend Jo Kamau', 'done', 'Rider 12 suspended']])
})

it.each<[string, () => unknown]>([
  ['success', () => ({})],
  ['failure', () => refuse(409)],
  ['lost reply', lose],
])('the list on screen is reloaded after a %s (R5, S4.3)', async (_what, answer) => {
  serve({ [suspended]: answer })
  const read = vi.fn(() => Promise.resolve(1))
  const observer = new QueryObserver(queryClient, { queryKey: ['driver', 'list'], queryFn: read })
  const leave = observer.subscribe(() => undefined)
  await waitFor(() => expect(observer.getCurrentResult().data).toBe(1))
  await suspend.run(on(jo))
  await waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  leave()
})

describe('several drivers', () => {
  it('are suspended one after the other, also after a failure', async () => {
    const busy: string[] = []
    serve({
      [suspended]: ({ path }: { path: string }) => {
        busy.push([...store.get(busyAtom)].join())
        return path.includes('/2/') ? refuse(409) : {}
      },
    })
    await suspend.run(on(wireDriver({ id: 1 }), wireDriver({ id: 2 }), wireDriver({ id: 3 })))
    expect(busy).toEqual(['driver:1', 'driver:2', 'driver:3'])
    expect(activity().map(([, outcome]) => outcome)).toEqual(['done', 'failed', 'done'])
  })

  it('are suspended once each, however often the command is run meanwhile (R8)', async () => {
    serve({ [suspended]: {} })
    const drivers = on(...Array.from({ length: 5 }, (_, at) => wireDriver({ id: at + 1 })))
    await Promise.all([suspend.run(drivers), suspend.run(drivers)])
    expect(callsTo(suspended).map(({ path }) => path.split('/')[1])).toEqual(['1', '2', '3', '4', '5'])
    await suspend.run(drivers)
    expect(callsTo(suspended)).toHaveLength(10)
  })

  it('are named in the title with the number of all that are selected, and why it is not all', () => {
    const more = on(jo, amina, wireDriver({ id: 3 }))
    expect([suspend.title(more), suspend.note?.(more)]).toEqual([
      'Suspend 2 of 3 drivers',
      '1 is suspended already',
    ])
    expect(unsuspend.note?.(more)).toBe('2 are not suspended')
    expect(suspend.note?.(on(jo))).toBe('')
  })

  it('show their progress only if there are more than three', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer })
    const three = suspend.run(on(...[1, 2, 3].map((id) => wireDriver({ id }))))
    expect(store.get(batchesAtom)).toEqual([])
    const four = suspend.run(on(...[4, 5, 6, 7].map((id) => wireDriver({ id }))))
    expect(store.get(batchesAtom)).toMatchObject([{ doing: 'Suspending', done: 0, total: 4 }])
    reply.give({})
    await Promise.all([three, four])
    expect(store.get(batchesAtom)).toEqual([])
  })

  it('that are paused again before they went on stay paused', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer })
    const run = suspend.run(on(...[1, 2, 3, 4].map((id) => wireDriver({ id }))))
    const batch = () => store.get(batchesAtom)[0]
    batch()?.pause()
    reply.give({})
    await waitFor(() => expect(batch()?.done).toBe(1))
    batch()?.resume()
    batch()?.pause()
    await Promise.resolve()
    expect(callsTo(suspended)).toHaveLength(1)
    batch()?.resume()
    await run
    expect(callsTo(suspended)).toHaveLength(4)
  })

  it('that were cancelled are undone with the number that was changed (R7)', async () => {
    serve({
      [suspended]: () => {
        if (callsTo(suspended).length === 2) store.get(batchesAtom)[0]?.cancel()
        return {}
      },
    })
    await suspend.run(on(...[1, 2, 3, 4].map((id) => wireDriver({ id }))))
    expect(callsTo(suspended)).toHaveLength(2)
    expect(labels()).toEqual(['Suspend 4 drivers (2 of 4)'])
  })

  it('are suspended only if they are not suspended yet', async () => {
    serve({ [suspended]: {}, [unfrozen]: {} })
    expect(suspend.title(on(jo, amina))).toBe('Suspend Jo Kamau')
    expect(suspend.title(on(jo, wireDriver({ id: 3 })))).toBe('Suspend 2 drivers')
    await suspend.run(on(jo, amina))
    expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/12/suspend/'])
    expect(suspend.when?.(on(amina))).toBe(false)
    expect(unsuspend.when?.(on(jo))).toBe(false)
  })
})

describe('undo (R7)', () => {
  it('in the toast of suspending makes the call for unsuspending', async () => {
    serve({ [suspended]: { message: 'Suspended' }, [unfrozen]: { message: 'Back again' } })
    await suspend.run(on(jo))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Back again')).toBeTruthy()
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/12/unfreeze/'])
    expect(callsTo(suspended)).toHaveLength(1)
  })

  it('in the toast of unsuspending makes the call for suspending', async () => {
    serve({ [suspended]: {}, [unfrozen]: { message: 'Back again' } })
    await unsuspend.run(on(amina))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/7/suspend/']))
  })

  it('is a command that names the action that it undoes, the newest first', async () => {
    serve({ [suspended]: {}, [unfrozen]: {} })
    expect(undoLast.when?.(on())).toBe(false)
    await suspend.run(on(jo))
    await unsuspend.run(on(amina))
    expect(undoLast.title(on())).toBe('Undo: Unsuspend Amina Yusuf')
    await undoLast.run(on())
    expect(undoLast.title(on())).toBe('Undo: Suspend Jo Kamau')
    await undoLast.run(on())
    expect(undoLast.when?.(on())).toBe(false)
    expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/12/suspend/', 'driver/7/suspend/'])
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/7/unfreeze/', 'driver/12/unfreeze/'])
  })

  it('cannot be undone itself, and removes the Undo button of the toast whose action it undid', async () => {
    serve({ [suspended]: { message: 'Suspended' }, [unfrozen]: { message: 'Back again' } })
    await suspend.run(on(jo))
    await undoLast.run(on())
    expect(await screen.findByText('Back again')).toBeTruthy()
    expect(labels()).toEqual([])
    expect(screen.getByText('Suspended')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('can be repeated after it failed', async () => {
    serve({ [suspended]: {}, [unfrozen]: () => refuse(500) })
    await suspend.run(on(jo))
    await undoLast.run(on())
    expect(labels()).toEqual(['Suspend Jo Kamau'])
    serve({ [unfrozen]: {} })
    await undoLast.run(on())
    expect(labels()).toEqual([])
    expect(callsTo(unfrozen)).toHaveLength(2)
  })

  it('of an action without an answer waits for the answer, and takes back this action and no earlier one', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer, [unfrozen]: {} })
    await unsuspend.run(on(amina))
    const run = suspend.run(on(jo))
    expect(undoLast.title(on())).toBe('Undo: Suspend Jo Kamau')
    const undone = Promise.all([undoLast.run(on()), undoLast.run(on())])
    expect(store.get(statusAtom)?.text).toBe('Undo waits for: Suspend Jo Kamau')
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/7/unfreeze/'])
    reply.give({})
    await Promise.all([run, undone])
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/7/unfreeze/', 'driver/12/unfreeze/'])
    expect(labels()).toEqual(['Unsuspend Amina Yusuf'])
  })

  it('takes back the action that was begun last, also while an earlier one has no answer yet', async () => {
    const reply = hold()
    serve({
      [suspended]: ({ path }: { path: string }) => (path.includes('/12/') ? reply.answer() : {}),
      [unfrozen]: {},
    })
    const run = suspend.run(on(jo))
    await suspend.run(on(wireDriver({ id: 3, name: 'Otieno Ouma' })))
    expect(undoLast.title(on())).toBe('Undo: Suspend Otieno Ouma')
    await undoLast.run(on())
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/3/unfreeze/'])
    expect(undoLast.title(on())).toBe('Undo: Suspend Jo Kamau')
    reply.give({})
    await run
    expect(labels()).toEqual(['Suspend Jo Kamau'])
  })

  it('is not offered for an action that changed nothing, so that it does not take back what a colleague did', async () => {
    const headers = { 'record-unchanged': 'true' }
    const unchanged = (message: string) => () => Response.json({ message }, { headers })
    serve({
      [suspended]: ({ path }: { path: string }) =>
        path.includes('/12/')
          ? unchanged('Jo Kamau has been suspended.')()
          : { message: 'Rider 3 suspended' },
      [unfrozen]: {},
    })
    await suspend.run(on(jo))
    expect(await screen.findByText('Jo Kamau has been suspended.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(undoLast.when?.(on())).toBe(false)
    await suspend.run(on(jo, wireDriver({ id: 3 })))
    expect(labels()).toEqual(['Suspend 2 drivers (1 of 2)'])
    await undoLast.run(on())
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/3/unfreeze/'])
  })

  it('is stored while an action on many records runs, so that what it did so far can be undone after a reload', async () => {
    const reply = hold()
    serve({
      [suspended]: ({ path }: { path: string }) => (path.includes('/4/') ? reply.answer() : {}),
      [unfrozen]: {},
    })
    const run = suspend.run(on(...[1, 2, 3, 4].map((id) => wireDriver({ id }))))
    await waitFor(() => expect(callsTo(suspended)).toHaveLength(4))
    expect(labels()).toEqual([])
    // The fourth may be suspended by now.
    expect(reloaded()).toMatchObject(stored('Suspend 4 drivers', '4', '3', '2', '1'))
    reply.lose()
    await run
    expect(reloaded()).toMatchObject(stored('Suspend 4 drivers (3 of 4)', '3', '2', '1'))

    const second = hold()
    serve({ [unfrozen]: ({ path }: { path: string }) => (path.includes('/2/') ? second.answer() : {}) })
    const undone = undoLast.run(on())
    await waitFor(() => expect(callsTo(unfrozen)).toHaveLength(2))
    expect(undoLast.when?.(on())).toBe(false)
    expect(reloaded()).toMatchObject(stored('Suspend 4 drivers (2 left)', '2', '1'))
    second.give({})
    await undone
    expect(reloaded()).toEqual({ entries: [] })
  })

  it('of an action that then fails takes back nothing', async () => {
    const reply = hold()
    serve({ [suspended]: reply.answer, [unfrozen]: {} })
    await unsuspend.run(on(amina))
    const run = suspend.run(on(jo))
    const undone = undoLast.run(on())
    reply.lose()
    await Promise.all([run, undone])
    expect(labels()).toEqual(['Unsuspend Amina Yusuf'])
    expect(undoLast.title(on())).toBe('Undo: Unsuspend Amina Yusuf')
  })

  it('makes one call, however often it is requested', async () => {
    const reply = hold()
    serve({ [suspended]: {}, [unfrozen]: reply.answer })
    await suspend.run(on(jo))
    const [done] = store.get(undoAtom)
    if (!done) throw new Error('The undo list is empty.')
    const twice = Promise.all([undo(done.id), undo(done.id)])
    reply.give({})
    await twice
    await undo(done.id)
    expect(callsTo(unfrozen)).toHaveLength(1)
  })

  it('is not offered for an action that failed', async () => {
    serve({ [suspended]: () => refuse(500) })
    await suspend.run(on(jo))
    expect(labels()).toEqual([])
  })

  it('after a delete without an answer restores this record, which may be gone from the list, and not one that was deleted before', async () => {
    serve({ [updated]: {} })
    await remove('1')
    serve({ [updated]: lose })
    await remove('2')
    expect(labels()).toEqual(['Delete place 1', 'Delete place 2'])
    serve({ [updated]: {} })
    await undoLast.run(on())
    expect(callsTo(updated).at(-1)).toMatchObject({ path: 'attractions/all/2/', body: { deleted: false } })
    expect(labels()).toEqual(['Delete place 1'])
  })

  it('is not offered for a delete that the server refused', async () => {
    serve({ [updated]: () => refuse(500) })
    await remove('1')
    expect(labels()).toEqual([])
  })

  it('covers the last 50 actions', async () => {
    serve({ [suspended]: {} })
    for (let id = 1; id <= 52; id++) await suspend.run(on(wireDriver({ id })))
    expect(labels()).toHaveLength(50)
    expect(labels()[0]).toBe('Suspend Driver 3')
  })
})

/** The undo list that this page would have after a reload at this moment. */
function reloaded(): unknown {
  window.dispatchEvent(new Event('pagehide'))
  return JSON.parse(sessionStorage.getItem('oms.undo') ?? '{"entries":[]}')
}

/** A stored undo list with one action, on the records with these ids. */
const stored = (label: string, ...ids: string[]) => ({
  entries: [{ label, mutation: { refs: ids.map((id) => ({ id })) } }],
})

describe('the idempotency key (R8)', () => {
  it('is new for every action and record', async () => {
    serve({ [suspended]: {}, [unfrozen]: {} })
    await suspend.run(on(jo))
    await suspend.run(on(jo))
    await suspend.run(on(wireDriver({ id: 3 })))
    await unsuspend.run(on(amina))
    const all = [...keys(suspended), ...keys(unfrozen)]
    expect(all.every((key) => /^[\da-f-]{36}$/.test(key ?? ''))).toBe(true)
    expect(new Set(all).size).toBe(4)
  })

  it.each<[string, () => unknown]>([
    ['a lost reply', lose],
    ['a 500', () => refuse(500)],
  ])('is kept for a repeated action after %s, until it succeeds', async (_what, answer) => {
    serve({ [suspended]: answer })
    await suspend.run(on(jo))
    serve({ [suspended]: {} })
    await suspend.run(on(jo))
    const [first, second] = keys(suspended)
    expect(second).toBe(first)
    await suspend.run(on(jo))
    expect(keys(suspended)[2]).not.toBe(first)
  })

  it.each([401, 403, 408, 429])(
    'is kept after a lost reply and a %i, which says nothing about the first try',
    async (status) => {
      serve({ [suspended]: lose })
      await suspend.run(on(jo))
      const session = store.get(sessionAtom)
      serve({ [suspended]: () => refuse(status) })
      await suspend.run(on(jo))
      if (session) startSession(session)
      serve({ [suspended]: () => refuse(409) })
      await suspend.run(on(jo))
      expect(new Set(keys(suspended)).size).toBe(1)
      await suspend.run(on(jo))
      expect(new Set(keys(suspended)).size).toBe(2)
    },
  )

  it('is kept if the HTTP client gets no answer and then a 403; without a lost answer before it, a 403 ends the attempt', async () => {
    store.set(capabilitiesAtom, (given) => ({ ...given, idempotency: true }))
    serve({ [suspended]: () => (callsTo(suspended).length === 1 ? lose() : refuse(403)) })
    await suspend.run(on(jo))
    serve({ [suspended]: {} })
    await suspend.run(on(jo))
    expect(keys(suspended)).toHaveLength(3)
    expect(new Set(keys(suspended)).size).toBe(1)
    serve({ [suspended]: () => refuse(403) })
    await suspend.run(on(jo))
    await suspend.run(on(jo))
    expect(new Set(keys(suspended)).size).toBe(3)
  })

  it('is new after a 409, which ends the attempt', async () => {
    serve({ [suspended]: () => refuse(409) })
    await suspend.run(on(jo))
    await suspend.run(on(jo))
    const [first, second] = keys(suspended)
    expect(second).not.toBe(first)
  })

  it('is new after the inverse action: the server would answer the old key without changing anything', async () => {
    serve({ [suspended]: lose, [unfrozen]: {} })
    await suspend.run(on(jo))
    await unsuspend.run(on({ ...jo, deleted: true }))
    serve({ [suspended]: {} })
    await suspend.run(on(jo))
    expect(new Set([...keys(suspended), ...keys(unfrozen)]).size).toBe(3)
  })

  it('is new when the record has been changed since: the server would answer the old key without changing anything', async () => {
    serve({ [suspended]: lose })
    await suspend.run(on({ ...jo, version: 1 }))
    await suspend.run(on({ ...jo, version: 1 }))
    await suspend.run(on({ ...jo, version: 3 }))
    const [first, second, third] = keys(suspended)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('is new when the same command asks for something else', async () => {
    const keys: string[] = []
    defineChange({
      command: 'test.move',
      label: () => 'Move',
      affects: [],
      perform: (_ref, _args, key) => {
        keys.push(key)
        return Promise.reject(new TypeError('Failed to fetch'))
      },
    })
    const mutation = { command: 'test.move', refs: [{ noun: 'test', id: '1', name: 'it' }], label: 'Move' }
    for (const position of [1, 1, 2]) await runMutation({ ...mutation, args: { position } })
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('is new more than five minutes after a lost reply', async () => {
    serve({ [suspended]: lose })
    vi.useFakeTimers({ toFake: ['Date'] })
    await suspend.run(on(jo))
    vi.setSystemTime(Date.now() + 4 * 60_000)
    await suspend.run(on(jo))
    vi.setSystemTime(Date.now() + 2 * 60_000)
    await suspend.run(on(jo))
    const [first, second, third] = keys(suspended)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('is the same for the retries of the HTTP client', async () => {
    store.set(capabilitiesAtom, (given) => ({ ...given, idempotency: true }))
    serve({ [suspended]: () => (callsTo(suspended).length === 1 ? lose() : { message: 'Suspended' }) })
    await suspend.run(on(jo))
    expect(keys(suspended)).toHaveLength(2)
    expect(new Set(keys(suspended)).size).toBe(1)
    expect(activity()).toEqual([['Suspend Jo Kamau', 'done', 'Suspended']])
  })
})

describe('copying a phone number', () => {
  const copy = driver.commands.find(({ id }) => id === 'driver.copyPhone')

  it('puts the number on the clipboard with one leading plus (S2.d.2)', async () => {
    userEvent.setup()
    await copy?.run(on({ ...jo, user: { ...jo.user, phone_number: '+254712345678' } }))
    expect(await navigator.clipboard.readText()).toBe('+254712345678')
  })

  it('is offered for a single driver with a number', () => {
    expect(copy?.when?.(on(jo))).toBe(true)
    expect(copy?.when?.(on(jo, amina))).toBe(false)
    expect(copy?.when?.(on({ ...jo, user: { ...jo.user, phone_number: '' } }))).toBe(false)
  })
})

/** Runs a change of a test record that makes the call `perform`. */
function runChange(
  label: string,
  perform: Change['perform'],
  given: { key?: string; refused?: (error: unknown, mayBeStored: boolean) => void; failed?: string } = {},
) {
  const { key, refused, failed } = given
  defineChange({
    command: 'test.change',
    label: () => label,
    affects: [],
    perform,
    ...(failed !== undefined && { failed }),
  })
  const refs = [{ noun: 'test', id: 'new', name: '' }]
  const mutation = { command: 'test.change', refs, args: {}, label, ...(key !== undefined && { key }) }
  return runMutation(mutation, refused ? { refused } : {})
}

describe('a mutation that a form sends', () => {
  it('is sent with the Idempotency-Key of its draft (R8)', async () => {
    const keys: string[] = []
    const perform: Change['perform'] = (_ref, _args, key) => {
      keys.push(key)
      return Promise.resolve({ message: '', hasChanged: true, record: null })
    }
    await runChange('Create coupon', perform, { key: 'key-of-the-draft' })
    expect(keys).toEqual(['key-of-the-draft'])
  })

  it("passes the server's errors by field to its caller (S8.11)", async () => {
    serve({ [suspended]: () => refuseFields({ amount: ['must be number'] }) })
    const refused = vi.fn((error: unknown, mayBeStored: boolean) => [fieldErrorsOf(error), mayBeStored])
    const perform: Change['perform'] = (_ref, _args, key) => mutate('driver/12/suspend/', key)
    await runChange('Create coupon', perform, { refused })
    expect(refused).toHaveReturnedTimes(1)
    expect(refused).toHaveReturnedWith([{ amount: ['must be number'] }, false])
  })

  it('leaves no toast, fault mark or activity entry if it is cancelled', async () => {
    const perform = () => Promise.reject(new DOMException('Cancelled', 'AbortError'))
    expect(await runChange('Create coupon', perform, { failed: 'It failed' })).toBe(false)
    expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
    expect([...store.get(faultsAtom)]).toEqual([])
    expect(activity()).toEqual([])
  })
})

describe('a record in the answer of the server', () => {
  it('replaces the cached one in the lists and details of its noun before the reload (R5)', async () => {
    const answered = { id: 5, code: 'NEW', version: 2 }
    const list = ['coupon', 'list', { page: 1 }]
    queryClient.setQueryData(list, { results: [{ id: 4 }, { id: 5, code: 'OLD' }], page: 1 })
    queryClient.setQueryData(['coupon', 'one', '5'], { id: 5, code: 'OLD' })
    defineChange({
      command: 'test.answer',
      label: () => 'Answer',
      affects: [],
      perform: () => Promise.resolve({ message: '', hasChanged: true, record: answered }),
    })
    const refs = [{ noun: 'coupon', id: '5', name: 'OLD' }]
    await runMutation({ command: 'test.answer', refs, args: {}, label: 'Answer' })
    expect(queryClient.getQueryData(list)).toEqual({ results: [{ id: 4 }, answered], page: 1 })
    expect(queryClient.getQueryData(['coupon', 'one', '5'])).toEqual(answered)
  })
})

it('suspending a driver reloads drivers and dashboard figures and no other nouns (R5)', async () => {
  serve({ [suspended]: {} })
  const keys = [
    ['driver', 'list'],
    ['driver', 'one', '12'],
    ['analytics'],
    ['coupon', 'list'],
    ['trip', 'list'],
  ]
  for (const key of keys) queryClient.setQueryData(key, {})
  await suspend.run(on(jo))
  const stale = keys.filter((queryKey) => queryClient.getQueryState(queryKey)?.isInvalidated)
  expect(stale).toEqual([['driver', 'list'], ['driver', 'one', '12'], ['analytics']])
})

describe('after a reload of the page', () => {
  it('an action can still be undone by the same person in the same tab (R7)', async () => {
    serve({ [suspended]: {}, [unfrozen]: {} })
    await suspend.run(on(jo, wireDriver({ id: 3 })))
    const kept = sessionStorage.getItem('oms.undo') ?? ''
    forgetUndo()
    expect(sessionStorage.getItem('oms.undo')).toBeNull()
    sessionStorage.setItem('oms.undo', kept)
    loadUndo()
    expect(undoLast.title(on())).toBe('Undo: Suspend 2 drivers')
    await undoLast.run(on())
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/3/unfreeze/', 'driver/12/unfreeze/'])
    expect(activity().map(([what]) => what)).toContain('Unsuspend Jo Kamau')
  })

  it.each([
    ['belongs to another person', (kept: string) => kept.replace('asha@', 'baraka@')],
    [
      'names a command that no longer exists',
      (kept: string) => kept.replace('driver.unsuspend', 'driver.gone'),
    ],
    ['is not JSON', () => '{'],
    ['is not an object', () => '[{}]'],
    [
      'has invalid entries',
      () => '{"email":"asha@twende.test","entries":[null,{},{"id":1},{"id":"1","label":"x"}]}',
    ],
  ])('a stored undo list that %s is ignored', async (_whose, changed) => {
    serve({ [suspended]: {} })
    await suspend.run(on(jo))
    const kept = sessionStorage.getItem('oms.undo') ?? ''
    forgetUndo()
    sessionStorage.setItem('oms.undo', changed(kept))
    loadUndo()
    expect(labels()).toEqual([])
  })
})

it.each<[string, (reply: ReturnType<typeof hold>) => void]>([
  ['succeeds', (reply) => reply.give({ message: 'Rider 12 suspended' })],
  ['fails', (reply) => reply.lose()],
])(
  'a change that %s after another person has signed in is not in their activity, toasts or undo',
  async (_how, end) => {
    const reply = hold()
    serve({ [suspended]: reply.answer })
    const run = suspend.run(on(jo))
    await waitFor(() => expect(callsTo(suspended)).toHaveLength(1))
    endSession()
    forgetRuns()
    startSession({ token: 'def', email: 'baraka@twende.test' })
    end(reply)
    await run
    expect(activity()).toEqual([])
    expect(labels()).toEqual([])
    expect([...store.get(faultsAtom)]).toEqual([])
    expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
  },
)

it('an undo is in the activity as what it did, not as what it took back (R6, R7)', async () => {
  serve({ [suspended]: {}, [unfrozen]: {} })
  await suspend.run(on(jo))
  await undoLast.run(on())
  expect(activity().map(([what]) => what)).toEqual(['Unsuspend Jo Kamau', 'Suspend Jo Kamau'])
})

it('what a person had still to undo is not kept for the next person', async () => {
  const reply = hold()
  serve({ [suspended]: {}, [unfrozen]: reply.answer })
  const stop = forgetWithSession()
  await suspend.run(on(jo, wireDriver({ id: 3 })))
  const undone = undoLast.run(on())
  await waitFor(() => expect(callsTo(unfrozen)).toHaveLength(1))
  endSession()
  startSession({ token: 'def', email: 'baraka@twende.test' })
  reply.lose()
  await undone
  expect(undoLast.when?.(on())).toBe(false)
  expect(sessionStorage.getItem('oms.undo')).toBeNull()
  stop()
})

it('what is said after the session has ended is not said to the next person', async () => {
  const reply = hold()
  const stop = forgetWithSession()
  const run = runChange('Delete a blog', () =>
    reply.answer().then(() => ({ message: '', hasChanged: true, record: null })),
  )
  endSession()
  reply.give({})
  await run
  expect(store.get(statusAtom)?.text).toBe('Done: Delete a blog')
  startSession({ token: 'def', email: 'baraka@twende.test' })
  expect(store.get(statusAtom)).toBeNull()
  stop()
})

it.each([
  ['that failed for others', 2, 'Done: Delete 3 blogs (2 of 3)'],
  ['that succeeded for all', 3, 'Done: Delete 3 blogs'],
  ['that failed for all', 0, undefined],
])('the status line counts the records of an action %s', async (_what, fine, said) => {
  defineChange({
    command: 'test.delete',
    label: ({ name }) => `Delete ${name}`,
    affects: [],
    perform: ({ id }) =>
      Number(id) <= fine
        ? Promise.resolve({ message: '', hasChanged: true, record: null })
        : Promise.reject(new Error('refused')),
  })
  const refs = [1, 2, 3].map((id) => ({ noun: 'test', id: String(id), name: `blog ${id}` }))
  await runMutation({ command: 'test.delete', refs, args: {}, label: 'Delete 3 blogs' })
  expect(store.get(statusAtom)?.text).toBe(said)
})

it.each([
  ['SOS log 5 was acknowledged by Baraka.', 'SOS log 5 was acknowledged by Baraka.'],
  ['', 'Already done: Acknowledge SOS log 5'],
])('the status line says what the server says of a record that was so already: %s', async (message, said) => {
  defineChange({
    command: 'test.acknowledge',
    label: () => '',
    affects: [],
    perform: () => Promise.resolve({ message, hasChanged: false, record: null }),
  })
  const refs = [{ noun: 'test', id: '5', name: 'SOS log 5' }]
  await runMutation({ command: 'test.acknowledge', refs, args: {}, label: 'Acknowledge SOS log 5' })
  expect(store.get(statusAtom)?.text).toBe(said)
})

it('the rest of a batch leaves no toast and no undo entry after another person has signed in', async () => {
  const reply = hold()
  serve({ [suspended]: ({ path }: { path: string }) => (path.includes('/3/') ? reply.answer() : {}) })
  const run = suspend.run(on(jo, wireDriver({ id: 3 })))
  await waitFor(() => expect(callsTo(suspended)).toHaveLength(2))
  endSession()
  startSession({ token: 'def', email: 'baraka@twende.test' })
  forgetUndo()
  reply.give({})
  await run
  expect(labels()).toEqual([])
  expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
})

describe('a task', () => {
  it('is in the activity, cannot be undone, and cannot be started again while it runs (R6)', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = runTask('export:test', { label: 'Export', perform: () => promise })
    expect(await runTask('export:test', { label: 'Export again', perform: () => promise })).toBe(false)
    resolve('test.xlsx')
    expect(await first).toBe(true)
    expect(activity()).toEqual([['Export', 'done', 'test.xlsx']])
    expect(labels()).toEqual([])
  })
})
