import type { TSchema } from 'typebox'
import type { Engine } from '../../server/db/engine.ts'
import {
  Attraction,
  Blog,
  Coupon,
  Customer,
  DriverInvite,
  Invoice,
  Page,
  PreBooking,
  PromoCode,
  SosLog,
  StaffUser,
  Trip,
  Vehicle,
} from '../../src/api/contract.ts'
import {
  buildAttraction,
  buildBlog,
  buildBooking,
  buildCoupon,
  buildCustomer,
  buildDriver,
  buildInvite,
  buildInvoice,
  buildPromoCode,
  buildSos,
  buildStaff,
  buildTrip,
  buildVehicle,
} from './factories.ts'

interface List {
  clause: string
  path: string
  shape: TSchema
  /** Inserts one row. */
  build: (engine: Engine) => Promise<{ id: number }>
}

/** All lists of section 7 except the list of drivers. */
export const lists: List[] = [
  list('S7.11', 'customers', Customer, (engine) => buildCustomer(engine)),
  list('S7.12', 'staff-users', StaffUser, (engine) => buildStaff(engine)),
  list('S7.13', 'vehicles', Vehicle, async (engine) =>
    buildVehicle(engine, { driver_id: (await buildDriver(engine)).id }),
  ),
  list('S7.14', 'trips', Trip, (engine) => buildTrip(engine)),
  list('S7.15', 'pre-bookings', PreBooking, (engine) => buildBooking(engine)),
  list('S7.17', 'attractions/all', Attraction, (engine) => buildAttraction(engine)),
  list('S7.23', 'all-invoices', Invoice, async (engine) =>
    buildInvoice(engine, { driver_id: (await buildDriver(engine)).id }),
  ),
  list('S7.24', 'driver-invites', DriverInvite, (engine) => buildInvite(engine)),
  list('S7.25', 'blogs-adm', Blog, (engine) => buildBlog(engine)),
  list('S7.28', 'coupons', Coupon, (engine) => buildCoupon(engine)),
  list('S7.31', 'promo-codes', PromoCode, (engine) => buildPromoCode(engine)),
  list('S7.35', 'sos-lists', SosLog, (engine) => buildSos(engine)),
]

function list(clause: string, path: string, shape: TSchema, build: List['build']): List {
  return { clause, path: `/api/v1/oms/${path}/`, shape: Page(shape), build }
}
