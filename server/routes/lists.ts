import type { TSchema } from 'typebox'
import {
  Attraction,
  Blog,
  Coupon,
  Customer,
  DriverInvite,
  Invoice,
  Page,
  PreBooking,
  Problem,
  PromoCode,
  SosLog,
  StaffUser,
  Trip,
  Vehicle,
} from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { attractions } from '../queries/attractions.ts'
import { blogs } from '../queries/blogs.ts'
import { preBookings } from '../queries/bookings.ts'
import { coupons } from '../queries/coupons.ts'
import { customers } from '../queries/customers.ts'
import { driverInvites } from '../queries/invites.ts'
import { invoices } from '../queries/invoices.ts'
import type { ListPage, ListQuery } from '../queries/list.ts'
import { listPage } from '../queries/list.ts'
import { promoCodes } from '../queries/promo-codes.ts'
import { sosLogs } from '../queries/sos.ts'
import { staffUsers } from '../queries/staff.ts'
import { trips } from '../queries/trips.ts'
import { vehicles } from '../queries/vehicles.ts'
import { ListParameters, listQuery, NamedListParameters } from './list.ts'

/** Every plain list: one path, one shape, one source. */
export function registerLists(app: TypedApp, { engine, now }: Deps): void {
  const add = (
    path: string,
    shape: TSchema,
    page: (query: ListQuery) => Promise<ListPage<unknown>>,
    querystring: typeof ListParameters | typeof NamedListParameters = ListParameters,
  ) =>
    app.get(
      `/api/v1/oms/${path}/`,
      {
        preValidation: listQuery(50),
        schema: { querystring, response: { 200: Page(shape), '4xx': Problem } },
      },
      (request) => page(request.query),
    )
  const cleared = invoices(now)
  add('customers', Customer, (query) => listPage(engine, customers, query)) // S7.11, S7.34
  add('staff-users', StaffUser, (query) => listPage(engine, staffUsers, query)) // S7.12
  add('vehicles', Vehicle, (query) => listPage(engine, vehicles, query)) // S7.13
  add('trips', Trip, (query) => listPage(engine, trips, query)) // S7.14
  add('pre-bookings', PreBooking, (query) => listPage(engine, preBookings, query)) // S7.15
  // S7.17
  add(
    'attractions/all',
    Attraction,
    (query) => listPage(engine, attractions.source, query),
    NamedListParameters,
  )
  add('all-invoices', Invoice, (query) => listPage(engine, cleared, query)) // S7.23
  add('driver-invites', DriverInvite, (query) => listPage(engine, driverInvites, query)) // S7.24
  add('blogs-adm', Blog, (query) => listPage(engine, blogs.source, query)) // S7.25
  add('coupons', Coupon, (query) => listPage(engine, coupons.source, query)) // S7.28
  add('promo-codes', PromoCode, (query) => listPage(engine, promoCodes.source, query)) // S7.31
  add('sos-lists', SosLog, (query) => listPage(engine, sosLogs, query)) // S7.35
}
