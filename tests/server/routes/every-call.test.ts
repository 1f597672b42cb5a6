import { Socket } from 'node:net'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  Analytics,
  Attraction,
  Capabilities,
  Driver,
  DriverTransaction,
  Page,
  Places,
  SearchAnswer,
  TermCounts,
  Sessions,
  Trends,
  Trip,
  ViewCounts,
  Views,
} from '../../../src/api/contract.ts'
import { contentsOf, engines } from '../../support/engines.ts'
import {
  buildAttraction,
  buildBlog,
  buildCoupon,
  buildCustomer,
  buildDriver,
  buildInvoice,
  buildPromoCode,
} from '../../support/factories.ts'
import { lists } from '../../support/lists.ts'
import { anyQuery } from '../../support/odd-queries.ts'
import { routesOf } from '../../support/routes.ts'
import { read, readProblem, useServer } from '../../support/server.ts'
import { kinds } from '../../support/written-kinds.ts'

const oms = '/api/v1/oms'

/** The schema of each GET reply; null for a file. */
const shapes: Record<string, TSchema | null> = {
  ...Object.fromEntries(lists.map(({ path, shape }) => [path.replace(/\/$/, ''), shape])),
  [`${oms}/analytics`]: Analytics,
  [`${oms}/attractions/all/:id`]: Attraction,
  [`${oms}/capabilities`]: Capabilities,
  [`${oms}/customers-export-excel`]: null,
  [`${oms}/drivers`]: Page(Driver),
  [`${oms}/drivers-export-excel`]: null,
  [`${oms}/drivers/:id`]: Driver,
  [`${oms}/drivers/:id/transactions`]: Page(DriverTransaction),
  [`${oms}/drivers/:id/trips`]: Page(Trip),
  [`${oms}/places`]: Places,
  [`${oms}/search`]: SearchAnswer,
  [`${oms}/sessions`]: Sessions,
  [`${oms}/views`]: Views,
  [`${oms}/views/counts`]: ViewCounts,
  [`${oms}/trends`]: Trends,
  [`${oms}/counts`]: TermCounts,
}

/** Calls without a body. tests/server/bodies.test.ts tests what happens if they get one. */
const bodiless = [
  ...['/driver/{id}/suspend/', '/driver/{id}/unfreeze/', '/logout/'],
  ...['/sos/{id}/acknowledge/', '/sos/{id}/reopen/'],
].map((path) => oms + path)

/** The fields of each POST body. An update also has `deleted` and `version`. */
const attraction = ['name', 'description', 'location', 'lat', 'lng', 'image']
const blog = ['title', 'sub_title', 'content', 'image']
const coupon = ['code', 'valid_till', 'amount']
const promoCode = [...coupon, 'promo_type', 'title', 'description']
const view = ['name', 'query', 'hidden', 'column_order', 'pinned']
const update = ['deleted', 'version']
const payloads: [clause: string, path: string, fields: string[]][] = [
  ['S7.16', '/login/', ['email', 'password']],
  ['S7.19', '/attraction/create/oms/', attraction],
  ['S7.20, S7.21', '/attractions/all/{id}/', [...attraction, ...update]],
  ['S7.22', '/invoice/update/', ['invoice_id']],
  ['S7.26', '/blog/create/', blog],
  ['S7.27', '/blogs/{id}/update/', [...blog, ...update]],
  ['S7.29', '/coupons/create/', coupon],
  ['S7.30', '/coupons/{id}/update/', [...coupon, ...update]],
  ['S7.32', '/promo-code/create/', [...promoCode, 'user']],
  ['S7.33', '/promo-codes/{id}/update/', [...promoCode, ...update]],
  ['rulings, capabilities', '/sessions/end/', ['session']],
  ['rulings, capabilities', '/password/', ['current', 'password']],
  ['rulings, lists', '/views/create/', ['list', ...view]],
  ['rulings, lists', '/views/{id}/update/', [...view, 'position', ...update]],
]

interface Body {
  required?: string[]
  properties: Record<string, unknown>
}
interface Document {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Body }> } } }>
}

describe.each(engines)('every call of section 7 on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  beforeAll(async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 1 })
    await buildCustomer(engine, { id: 1 })
    await buildInvoice(engine, { id: 1, driver_id: 1 })
    await buildAttraction(engine, { id: 1 })
    await buildBlog(engine, { id: 1 })
    await buildCoupon(engine, { id: 1, users: [1] })
    await buildPromoCode(engine, { id: 1, customer_id: 1 })
  })

  describe('that reads', () => {
    const anyId = fc.constantFrom(
      ...['1', '0', '-1', '1e9', 'NaN', '%00', '%25', '_', "1'--", '%F0%9F%9A%95', '%D9%85', '1,2', '%5B%5D'],
      ...['9'.repeat(19), '9'.repeat(400), 'x'.repeat(10_000), '1%2F2', 'null'],
    )

    test('is in the list of schemas above', () => {
      const served = routesOf(server().app)
        .filter(({ method, path }) => method === 'GET' && path.startsWith(oms))
        .map(({ path }) => path)
      expect(served.toSorted()).toEqual(Object.keys(shapes).toSorted())
    })

    // hygiene-all.test.ts and query-hygiene.test.ts test the lists in more detail.
    test.each(Object.entries(shapes).filter(([path]) => !lists.some((list) => list.path === `${path}/`)))(
      '%s gets a documented reply or a 4xx for random queries (S7.1; reliability 27)',
      async (path, shape) => {
        await fc.assert(
          fc.asyncProperty(anyId, anyQuery, async (id, query) => {
            const answer = await server().get(`${path.replace(':id', id)}?${query}`)
            if (answer.statusCode !== 200) {
              expect([400, 404]).toContain(answer.statusCode)
              readProblem(answer, answer.statusCode)
            } else if (shape) read(answer, shape)
            else expect(answer.headers['content-type']).toMatch(/spreadsheetml/)
          }),
          { numRuns: 30, seed: 7 },
        )
      },
    )
  })

  describe('that writes', () => {
    let bodies: { path: string; body: Body }[] = []
    beforeAll(async () => {
      const { paths } = (await server().app.inject('/api/docs/openapi.json')).json<Document>()
      bodies = Object.entries(paths).flatMap(([path, { post }]) => {
        const body = post?.requestBody?.content['application/json']?.schema
        return body ? [{ path, body }] : []
      })
    })
    const errorsOf = async (path: string, body: object | string) =>
      readProblem(await server().send(path.replace('{id}', '1'), body), 400).errors ?? {}

    test('is in the list of bodies above, or has no body', () => {
      const served = routesOf(server().app)
        .filter(({ method, path }) => method === 'POST' && path.startsWith(oms))
        .map(({ path }) => `${path.replace(':id', '{id}')}/`)
      const known = [...payloads.map(([, path]) => oms + path), ...bodiless]
      expect(served.toSorted()).toEqual(known.toSorted())
      expect(bodies.map(({ path }) => path).toSorted()).toEqual(
        payloads.map(([, path]) => oms + path).toSorted(),
      )
    })

    test.each(payloads)('%s: the body of POST %s has exactly the fields %j', (_clause, path, fields) => {
      const call = bodies.find((one) => one.path === oms + path)
      expect(Object.keys(call?.body.properties ?? {}).toSorted()).toEqual(fields.toSorted())
    })

    test('replies with the names of all missing fields and changes nothing (reliability 27)', async () => {
      const before = await contentsOf(server().engine)
      for (const { path, body } of bodies)
        if (body.required)
          expect(Object.keys(await errorsOf(path, {})).toSorted(), path).toEqual(body.required.toSorted())
      expect(await contentsOf(server().engine)).toEqual(before)
    })

    test('replies with the names of all fields of a wrong type and changes nothing (S5.5; reliability 27)', async () => {
      const before = await contentsOf(server().engine)
      for (const { path, body } of bodies) {
        const fields = Object.keys(body.properties)
        for (const value of [[], {}, [null], { x: 1 }]) {
          const wrong = Object.fromEntries(fields.map((field) => [field, value]))
          expect(Object.keys(await errorsOf(path, wrong)).toSorted(), path).toEqual(fields.toSorted())
        }
      }
      expect(await contentsOf(server().engine)).toEqual(before)
    })

    test('replies with the names of all unknown fields and changes nothing (reliability 31)', async () => {
      const before = await contentsOf(server().engine)
      const columns = Object.values(before).flatMap((rows) => rows.flatMap((row) => Object.keys(row)))
      expect(columns).toEqual(expect.arrayContaining(['id', 'paid', 'wallet_balance']))
      for (const { path, body } of bodies) {
        const unknown = [...new Set([...columns, 'isAdmin', '$where'])].filter(
          (one) => !(one in body.properties),
        )
        const extra = Object.fromEntries(unknown.map((field) => [field, 1]))
        const named = Object.keys(await errorsOf(path, extra))
        expect(named.filter((field) => !body.required?.includes(field)).toSorted(), path).toEqual(
          unknown.toSorted(),
        )
      }
      expect(await contentsOf(server().engine)).toEqual(before)
    })

    test.each(['[]', '[{}]', 'null', 'true', '7', '"text"', ''])(
      'rejects the body %j and changes nothing (reliability 27)',
      async (text) => {
        const before = await contentsOf(server().engine)
        for (const { path } of bodies) expect(await errorsOf(path, text), path).not.toEqual({})
        expect(await contentsOf(server().engine)).toEqual(before)
      },
    )
  })
})

describe('other integrations', () => {
  const server = useServer('sqlite', { scope: 'suite' })

  test('are not called by the server: no call makes a request to another host (S7.36)', async () => {
    const { engine, send, app, headers } = server()
    await buildDriver(engine, { id: 1 })
    await buildCustomer(engine, { id: 11 })
    await buildInvoice(engine, { id: 1, driver_id: 1 })
    const connections = vi.spyOn(Socket.prototype, 'connect')
    const requests = vi.spyOn(globalThis, 'fetch')
    for (const { create, update, body } of kinds) {
      const image = { ...('image' in body && { image: 'https://elsewhere.test/a.png' }) }
      expect((await send(create, { ...body, ...image })).statusCode, create).toBe(200)
      expect((await send(update(1), { deleted: true })).statusCode, create).toBe(200)
      expect((await send(update(1), { deleted: false })).statusCode, create).toBe(200)
    }
    expect((await send(`${oms}/invoice/update/`, { invoice_id: 1 })).statusCode).toBe(200)
    for (const { path } of routesOf(app).filter(({ method }) => method === 'GET')) {
      const { statusCode } = await app.inject({ url: `${path.replace(':id', '1')}?q=fort+jesus`, headers })
      // The storage needs another scheme before the token; storage.test.ts tests it.
      expect(statusCode, path).toBe(path.startsWith('/v0/') ? 401 : 200)
    }
    expect([connections.mock.calls, requests.mock.calls]).toEqual([[], []])
  })

  test('are not called by the console: its CSP allows requests to this server only (S7.36)', async () => {
    const { headers } = await server().app.inject('/healthz')
    expect(headers['content-security-policy']).toMatch(/default-src 'self';.*connect-src 'self';/)
  })
})
