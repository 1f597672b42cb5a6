import { describe, expect, test } from 'vitest'
import type { View as WireView, ViewBody, ViewChange } from '../../../src/api/contract.ts'
import { View, ViewCounts, Views } from '../../../src/api/contract.ts'
import { countViews } from '../../../server/queries/view-counts.ts'
import { contentsOf, engines } from '../../support/engines.ts'
import { buildDriver, buildInvoice, buildStaff } from '../../support/factories.ts'
import { read, readProblem, signIn, useServer } from '../../support/server.ts'

const path = '/api/v1/oms/views/'

describe.each(engines)('views on %s', (name) => {
  const server = useServer(name)
  const body = (given: Partial<ViewBody> = {}): ViewBody => ({
    list: 'invoices',
    name: 'Overdue',
    query: 'filter=overdue',
    ...given,
  })
  const send = (given: Partial<ViewBody> = {}) => server().send(`${path}create/`, body(given))
  const save = async (given: Partial<ViewBody> = {}) => read(await send(given), View)
  const change = (id: number, change: ViewChange) => server().send(`${path}${id}/update/`, change)
  const list = async () => read(await server().get(path), Views).results
  const names = async () => (await list()).map((view) => view.name)
  const another = async () =>
    signIn(server().app, await buildStaff(server().engine, { email: 'other@twende.test' }))

  test('are saved with their name, query, columns and pin, and listed (rulings, lists)', async () => {
    const saved = await save({ name: ' Overdue, big ', hidden: 'paid,date-paid', pinned: true })
    expect(saved).toEqual({
      id: 1,
      list: 'invoices',
      name: 'Overdue, big',
      query: 'filter=overdue',
      hidden: 'paid,date-paid',
      pinned: true,
      position: 1,
      deleted: false,
      version: 1,
    })
    expect(await list()).toEqual([saved])
  })

  test('are renamed, replaced, pinned, deleted and restored, each with an audit row (R7)', async () => {
    const { id } = await save()
    const changes: ViewChange[] = [
      { name: 'Late' },
      { query: 'filter=unpaid&size=100', hidden: 'paid' },
      { pinned: true },
      { deleted: true },
      { deleted: false },
    ]
    for (const one of changes) expect(read(await change(id, one), View)).toMatchObject(one)
    expect(await list()).toMatchObject([{ name: 'Late', hidden: 'paid', pinned: true, version: 6 }])
    const { audit } = await contentsOf(server().engine)
    expect(audit?.map(({ command }) => command)).toEqual(
      ['create', 'update', 'update', 'update', 'delete', 'restore'].map((verb) => `view.${verb}`),
    )
  })

  test('keep the order of their columns until another one is sent (rulings, lists)', async () => {
    const order = 'paid,amount,date-paid'
    const { id } = await save({ column_order: order })
    expect(await list()).toMatchObject([{ id, column_order: order }])
    expect(read(await change(id, { hidden: 'paid' }), View).column_order).toBe(order)
    expect(read(await change(id, { column_order: '' }), View).column_order).toBe('')
    expect(await list()).toMatchObject([{ id, hidden: 'paid', column_order: '' }])
  })

  test('that were saved before orders were stored have none, and get one with a change', async () => {
    const { id } = await save()
    expect(Object.keys((await list())[0] ?? {})).not.toContain('column_order')
    expect(read(await change(id, { pinned: true }), View)).not.toHaveProperty('column_order')
    expect(read(await change(id, { column_order: 'paid,amount' }), View).column_order).toBe('paid,amount')
  })

  test('of other staff members are not listed, not counted and cannot be changed', async () => {
    const { id } = await save({ pinned: true })
    const headers = await another()
    const before = await list()
    for (const url of [path, `${path}counts/`])
      expect((await server().app.inject({ url, headers })).json()).toEqual({ results: [] })
    for (const one of [{ name: 'Mine' }, { deleted: true }, { version: 1 }])
      readProblem(await server().send(`${path}${id}/update/`, one, headers), 404)
    expect(await list()).toEqual(before)
    // The same name is free for them.
    expect((await server().send(`${path}create/`, body(), headers)).statusCode).toBe(200)
  })

  test('are stored once for each Idempotency-Key (R8)', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = read(await server().send(`${path}create/`, body(), key), View)
    expect(read(await server().send(`${path}create/`, body(), key), View)).toEqual(first)
    expect(await list()).toHaveLength(1)
  })

  test('are not changed on the basis of an older version: 409 with a message', async () => {
    const { id } = await save()
    await change(id, { name: 'Newer', version: 1 })
    const { message } = readProblem(await change(id, { name: 'Older', version: 1 }), 409)
    expect(message).toBe('This view was changed after you opened it.')
    expect(await names()).toEqual(['Newer'])
  })

  test('have different names in each list, also after a rename and a restore', async () => {
    const [first, second] = [await save(), await save({ name: 'Late' })]
    const message = 'Another view of this list has this name.'
    const refused = { message, errors: { name: [message] } }
    expect(readProblem(await send(), 400)).toEqual(refused)
    expect(readProblem(await change(second.id, { name: 'Overdue' }), 400)).toEqual(refused)
    await change(first.id, { deleted: true })
    await change(second.id, { name: 'Overdue' })
    expect(readProblem(await change(first.id, { deleted: false }), 400)).toEqual(refused)
    await save({ list: 'bookings' })
    expect(await list()).toMatchObject([{ id: second.id }, { list: 'bookings' }])
  })

  test.each<[string, object, string]>([
    ['a blank name', { name: '  ' }, 'name'],
    ['a name of 81 characters', { name: 'x'.repeat(81) }, 'name'],
    ['a name with a NUL character', { name: 'a\0' }, 'name'],
    ['a query of 1,001 characters', { query: `s=${'x'.repeat(999)}` }, 'query'],
    ['a search that its list refuses', { query: `s=${'x'.repeat(201)}` }, 'query'],
    ['a search with a NUL character', { query: 's=%00' }, 'query'],
    ['an order of 1,001 characters', { column_order: 'x'.repeat(1001) }, 'column_order'],
    ['an order with a blank id', { column_order: 'paid,,amount' }, 'column_order'],
    ['an order with a NUL character', { column_order: 'paid\0' }, 'column_order'],
    ['an order that is a list', { column_order: ['paid', 'amount'] }, 'column_order'],
    ['an order that is null', { column_order: null }, 'column_order'],
    ['an unknown list', { list: 'analytics' }, 'list'],
    ['an unknown field', { staff_id: 1 }, 'staff_id'],
  ])('are refused with %s', async (_what, given, field) => {
    const answer = await server().send(`${path}create/`, { ...body(), ...given })
    expect(Object.keys(readProblem(answer, 400).errors ?? {})).toEqual([field])
    expect(await list()).toEqual([])
  })

  test('accept the longest name and query', async () => {
    await save({ name: 'é'.repeat(80), query: `s=${'x'.repeat(200)}`.padEnd(1000, '&') })
    expect(await list()).toHaveLength(1)
  })

  test('are at most 200 of one person, 20 of them pinned, also at the same time', async () => {
    const row = { list: 'trips', query: '', hidden: '', created_at: 1, staff_id: server().staff.id }
    const rows = Array.from({ length: 198 }, (_, nth) => ({
      ...row,
      name: `View ${nth}`,
      pinned: nth < 19 ? (1 as const) : (0 as const),
      position: nth + 1,
    }))
    await server().engine.db.insertInto('views').values(rows).execute()
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => send({ name })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 400, 400])
    const pins = await Promise.all([30, 31, 32].map((id) => change(id, { pinned: true })))
    expect(pins.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400])
    expect(readProblem(await send({ name: 'e' }), 400).message).toMatch('You have 200 views.')
    expect(readProblem(await change(40, { pinned: true }), 400).message).toMatch('At most 20 views')
    await change(41, { deleted: true })
    await save({ name: 'f' })
    expect(await list()).toHaveLength(200)
  })

  test('move to the place of another one of their list', async () => {
    const saved: WireView[] = []
    for (const name of ['a', 'b', 'c']) saved.push(await save({ name }))
    const [, b, c] = saved
    await change(c?.id ?? 0, { position: b?.position ?? 0, version: 1 })
    expect(await names()).toEqual(['a', 'c', 'b'])
    await change(b?.id ?? 0, { position: 1, version: 1 })
    expect(await names()).toEqual(['b', 'a', 'c'])
  })

  test('forget deleted ones only when there are more than 200 of them', async () => {
    const row = { list: 'trips', query: '', hidden: '', created_at: 1, pinned: 0 as const, position: 1 }
    const rows = Array.from({ length: 201 }, (_, nth) => ({
      ...row,
      staff_id: server().staff.id,
      name: `View ${nth}`,
      deleted: 1 as const,
    }))
    await server().engine.db.insertInto('views').values(rows).execute()
    await save()
    readProblem(await change(1, { deleted: false }), 404)
    expect(read(await change(2, { deleted: false }), View).name).toBe('View 1')
  })

  test('have the counts of their lists when they are pinned, also after a change', async () => {
    const { engine, clock, send: post } = server()
    await buildDriver(engine, { id: 1, fullname: 'Jo Kamau' })
    await buildDriver(engine, { id: 2, fullname: 'Amina Yusuf' })
    for (const driver_id of [1, 1, 2])
      await buildInvoice(engine, { driver_id, grace_end_date: clock.now - 1 })
    await save({ pinned: true })
    await save({ name: 'Jo, overdue', query: 's=kamau&filter=overdue,unknown&size=1000', pinned: true })
    await save({ name: 'Drivers', list: 'drivers', query: 'ordering=-fullname', pinned: true })
    await save({ name: 'Not pinned' })
    const counts = async () =>
      read(await server().get(`${path}counts/`), ViewCounts).results.toSorted((a, b) => a.id - b.id)
    expect((await counts()).map(({ count }) => count)).toEqual([3, 2, 2])
    await post('/api/v1/oms/invoice/update/', { invoice_id: 1 })
    expect((await counts()).map(({ count }) => count)).toEqual([2, 1, 2])
  })

  test('have no count where it takes too long, and the others do not wait for it', async () => {
    const view = { ...(await save()), list: 'slow' }
    const page = { results: [], current_page_number: 1, total_pages: 0, next_page: null, previous_page: null }
    const never = Promise.withResolvers<never>().promise
    const nounOf = (plural: string, answer: Promise<typeof page & { count: number }>) => ({
      plural,
      list: { page: () => answer },
    })
    const nouns = [nounOf('slow', never), nounOf('fast', Promise.resolve({ ...page, count: 7 }))]
    const views = [view, { ...view, id: 2, list: 'fast' }, { ...view, id: 3, list: 'gone' }]
    const { results } = await countViews(server().engine, nouns, views, 0)
    expect(results.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: 1, count: null },
      { id: 2, count: 7 },
      { id: 3, count: null },
    ])
  })
})
