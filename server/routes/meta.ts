import { Type } from 'typebox'
import { Capabilities, ConsoleConfig } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { attractions } from '../queries/attractions.ts'
import { blogs } from '../queries/blogs.ts'
import { preBookings } from '../queries/bookings.ts'
import { coupons } from '../queries/coupons.ts'
import { customers } from '../queries/customers.ts'
import { drivers } from '../queries/drivers.ts'
import { driverInvites } from '../queries/invites.ts'
import { invoices } from '../queries/invoices.ts'
import { promoCodes } from '../queries/promo-codes.ts'
import { sosLogs } from '../queries/sos.ts'
import { staffUsers } from '../queries/staff.ts'
import { trips } from '../queries/trips.ts'
import { vehicles } from '../queries/vehicles.ts'

/** Every list by its noun. */
const sources = (now: () => number) => ({
  drivers,
  customers,
  staff: staffUsers,
  vehicles,
  trips,
  bookings: preBookings,
  invoices: invoices(now),
  invites: driverInvites,
  attractions: attractions.source,
  blogs: blogs.source,
  coupons: coupons.source,
  promos: promoCodes.source,
  sos: sosLogs,
})

/** What is not a call of the specification: health, the API document, the console's configuration, capabilities. */
export function registerMeta(app: TypedApp, { config, demoLogin, now }: Deps): void {
  const open = { config: { public: true } }

  app.get(
    '/healthz',
    { ...open, schema: { security: [], response: { 200: Type.Object({ status: Type.String() }) } } },
    () => ({ status: 'ok' }),
  )
  app.get('/api/docs/openapi.json', { ...open, schema: { hide: true } }, () => app.swagger())
  app.get(
    '/config.json',
    { ...open, schema: { hide: true, response: { 200: ConsoleConfig } } },
    (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      const { product, apiHost, authScheme, firebase, mapsKey } = config
      return { product, apiHost, authScheme, demoLogin, firebase, mapsKey }
    },
  )
  if (config.apiHost) return
  app.get('/api/v1/oms/capabilities/', { schema: { response: { 200: Capabilities } } }, () => ({
    count: true,
    page_size: true,
    idempotency: true,
    logout: true,
    ordering: Object.fromEntries(
      Object.entries(sources(now)).map(([noun, { orderings }]) => [noun, Object.keys(orderings)]),
    ),
  }))
}
