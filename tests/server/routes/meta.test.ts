import { describe, expect, test } from 'vitest'
import { Capabilities, ConsoleConfig } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { routesOf } from '../../support/routes.ts'
import { bootApp, read, useServer } from '../../support/server.ts'

describe.each(engines)('the calls that are not in the specification, on %s', (name) => {
  const server = useServer(name)

  test('/healthz replies ok without a token', async () => {
    for (const url of ['/healthz', '/healthz/']) {
      const answer = await server().app.inject(url)
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
    }
  })

  test('/config.json has exactly these six values', async () => {
    const { app } = server()
    const answer = await app.inject('/config.json')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(read(answer, ConsoleConfig)).toEqual({
      product: 'twende',
      apiHost: '',
      authScheme: 'Bearer',
      demoLogin: null,
      firebase: null,
      mapsKey: '',
    })
  })

  test('/config.json has the configured values, also those for Firebase and Google Maps (S7.36)', async () => {
    const config = {
      product: 'safari',
      apiHost: 'https://api.example.com',
      authScheme: 'Token',
      firebase: { apiKey: 'k', storageBucket: 'safari.example' },
      mapsKey: 'm',
    }
    const app = await bootApp(server().engine, { config })
    expect(read(await app.inject('/config.json'), ConsoleConfig)).toEqual({ ...config, demoLogin: null })
    await app.close()
  })

  test('the capabilities list what this server offers beyond the specification (S7.39; rulings, capabilities)', async () => {
    const days = ['today', 'yesterday', 'this-week', 'this-month', 'from:', 'to:']
    const people = [
      ...['id', 'fullname', 'date_joined'],
      ...['total_completed_trips', 'total_failed_trips', 'wallet_balance'],
    ]
    const byId = [
      ...['staff', 'trips', 'bookings', 'invoices', 'invites'],
      ...['attractions', 'blogs', 'coupons', 'promos', 'sos'],
    ]
    expect(read(await server().get('/api/v1/oms/capabilities/'), Capabilities)).toEqual({
      count: true,
      page_size: true,
      idempotency: true,
      logout: true,
      search: true,
      acknowledge: true,
      views: true,
      trends: true,
      counts: true,
      sessions: true,
      filters: {
        drivers: ['suspended', 'active', 'online', 'offline', 'busy', ...days, 'unpaid', 'id:'],
        customers: [...days, 'id:'],
        vehicles: ['driver:', 'id:'],
        invoices: ['paid', 'unpaid', 'overdue', ...days, 'driver:', 'id:'],
        trips: [
          ...['requested', 'accepted', 'ongoing', 'completed', 'cancelled'],
          ...days,
          ...['driver:', 'customer:', 'id:'],
        ],
        bookings: [
          ...['pending', 'accepted', 'not-started', 'ongoing', 'completed', 'cancelled'],
          ...['paid', 'unpaid', 'tomorrow', ...days, 'driver:', 'customer:', 'id:'],
        ],
        promos: ['expired', 'running', 'redeemed', 'customer:', 'id:'],
        coupons: ['expired', 'running', 'id:'],
        attractions: ['id:'],
        blogs: ['id:'],
        sos: ['new', 'handled', ...days, 'driver:', 'customer:', 'id:'],
        invites: [...days, 'driver:', 'customer:', 'id:'],
        staff: ['id:'],
      },
      ordering: {
        drivers: people,
        customers: people,
        vehicles: ['id', 'registration'],
        ...Object.fromEntries(byId.map((noun) => [noun, ['id']])),
      },
    })
  })

  describe('the API document', () => {
    interface Operation {
      security?: unknown[]
      parameters?: { name: string; in: string }[]
      requestBody?: unknown
      responses: Record<string, { content?: unknown }>
    }
    interface Document {
      openapi: string
      components: { securitySchemes: Record<string, unknown> }
      security: unknown[]
      paths: Record<string, Record<string, Operation>>
    }
    const load = async () => (await server().app.inject('/api/docs/openapi.json')).json<Document>()

    test('describes every call with its replies (S7.1)', async () => {
      const { paths, openapi } = await load()
      expect(openapi).toMatch(/^3\./)
      const described = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\/$/, '')}`),
      )
      const hidden = [
        '/api/docs/openapi.json',
        '/config.json',
        '/readyz',
        '/metrics',
        '/v0/b/oms/o',
        '/v0/b/oms/o/*',
      ]
      const served = routesOf(server().app)
        .filter(({ method, path }) => method !== 'HEAD' && !hidden.includes(path))
        .map(({ method, path }) => `${method} ${path.replace(':id', '{id}')}`)
      expect(described.toSorted()).toEqual(served.toSorted())
      expect(described).toEqual(
        expect.arrayContaining([
          'GET /api/v1/oms/analytics',
          'GET /api/v1/oms/drivers',
          'GET /api/v1/oms/drivers/{id}',
          'GET /api/v1/oms/drivers/{id}/trips',
          'GET /api/v1/oms/drivers/{id}/transactions',
          'POST /api/v1/oms/driver/{id}/suspend',
          'POST /api/v1/oms/driver/{id}/unfreeze',
          'POST /api/v1/oms/login',
        ]),
      )
      for (const [path, operations] of Object.entries(paths))
        for (const { responses } of Object.values(operations))
          expect(
            Object.keys(responses).some((status) => status.startsWith('2')),
            path,
          ).toBe(true)
    })

    test('requires the token for every call except login and health check (reliability 1)', async () => {
      const { paths, security, components } = await load()
      expect(security).toEqual([{ token: [] }])
      expect(components.securitySchemes).toEqual({ token: { type: 'http', scheme: 'bearer' } })
      const open = Object.entries(paths).flatMap(([path, operations]) =>
        Object.values(operations)
          .filter((operation) => operation.security !== undefined)
          .map((operation) => [path, operation.security]),
      )
      expect(open.toSorted()).toEqual([
        ['/api/v1/oms/login/', []],
        ['/healthz', []],
        ['/livez', []],
      ])
    })

    test('has the parameters of a list and of a record (S7.3, S7.5)', async () => {
      const { paths } = await load()
      const names = (path: string) =>
        paths[path]?.['get']?.parameters?.map((parameter) => `${parameter.in} ${parameter.name}`).toSorted()
      const list = ['filter', 'ordering', 'page', 'page_size', 'phone', 's'].map((one) => `query ${one}`)
      expect(names('/api/v1/oms/drivers/')).toEqual(list)
      expect(names('/api/v1/oms/drivers/{id}/trips/')).toEqual(['path id', ...list])
      expect(names('/api/v1/oms/attractions/all/')).toEqual([...list, 'query name'].toSorted())
      expect(names('/api/v1/oms/drivers/{id}')).toEqual(['path id'])
      expect(paths['/api/v1/oms/login/']?.['post']?.requestBody).toBeDefined()
    })
  })
})
