import type { TSchema } from 'typebox'
import {
  Attraction,
  Blog,
  Coupon,
  Customer,
  Driver,
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
import type { Engine } from '../db/engine.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { attractions } from '../queries/attractions.ts'
import { blogs } from '../queries/blogs.ts'
import { preBookings } from '../queries/bookings.ts'
import { coupons } from '../queries/coupons.ts'
import { customers } from '../queries/customers.ts'
import { drivers } from '../queries/drivers.ts'
import { driverInvites } from '../queries/invites.ts'
import { invoices } from '../queries/invoices.ts'
import type { ListPage, ListQuery, ListSource } from '../queries/list.ts'
import { listPage } from '../queries/list.ts'
import { promoCodes } from '../queries/promo-codes.ts'
import { sosLogs } from '../queries/sos.ts'
import { staffUsers } from '../queries/staff.ts'
import { trips } from '../queries/trips.ts'
import { vehicles } from '../queries/vehicles.ts'
import { ListParameters, listQuery, NamedListParameters } from './list.ts'

/** Every list: its noun among the capabilities, its path, its shape and its source. */
const lists = (now: () => number): List[] => [
  list('drivers', 'drivers', Driver, drivers), // S7.3
  list('customers', 'customers', Customer, customers), // S7.11, S7.34
  list('staff', 'staff-users', StaffUser, staffUsers), // S7.12
  list('vehicles', 'vehicles', Vehicle, vehicles), // S7.13
  list('trips', 'trips', Trip, trips), // S7.14
  list('bookings', 'pre-bookings', PreBooking, preBookings), // S7.15
  list('attractions', 'attractions/all', Attraction, attractions.source, NamedListParameters), // S7.17
  list('invoices', 'all-invoices', Invoice, invoices(now)), // S7.23
  list('invites', 'driver-invites', DriverInvite, driverInvites), // S7.24
  list('blogs', 'blogs-adm', Blog, blogs.source), // S7.25
  list('coupons', 'coupons', Coupon, coupons.source), // S7.28
  list('promos', 'promo-codes', PromoCode, promoCodes.source), // S7.31
  list('sos', 'sos-lists', SosLog, sosLogs), // S7.35
]

export function registerLists(app: TypedApp, { engine, now }: Deps): void {
  for (const { path, shape, parameters, page } of lists(now))
    app.get(
      `/api/v1/oms/${path}/`,
      {
        preValidation: listQuery(50),
        schema: { querystring: parameters, response: { 200: Page(shape), '4xx': Problem } },
      },
      (request) => page(engine, request.query),
    )
}

/** By noun, the fields that a list can be ordered by. */
export function orderings(now: () => number): Record<string, string[]> {
  return Object.fromEntries(lists(now).map(({ noun, orderings }) => [noun, orderings]))
}

type Parameters = typeof ListParameters | typeof NamedListParameters

interface List {
  noun: string
  path: string
  shape: TSchema
  parameters: Parameters
  orderings: string[]
  page: (engine: Engine, query: ListQuery) => Promise<ListPage<unknown>>
}

function list<Row extends { id: number }, Wire>(
  noun: string,
  path: string,
  shape: TSchema,
  source: ListSource<Row, Wire>,
  parameters: Parameters = ListParameters,
): List {
  const orderings = Object.keys(source.orderings)
  return {
    noun,
    path,
    shape,
    parameters,
    orderings,
    page: (engine, query) => listPage(engine, source, query),
  }
}
