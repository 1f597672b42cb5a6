import type {
  Analytics,
  Attraction,
  Blog,
  Coupon,
  Driver,
  DriverTransaction,
  Invoice,
  PromoCode,
  SosLog,
  Trip,
} from '../../src/api/contract.ts'

/** Records in the format of a server, with plausible values for the fields that a test does not give. */

let serial = 0

type Given<T> = { [Key in keyof T]?: unknown }

export function wireDriver({ name, ...given }: Given<Driver> & { name?: string } = {}) {
  const id = typeof given.id === 'number' ? given.id : ++serial
  const fullname = name ?? `Driver ${id}`
  const driver = {
    id,
    user: { fullname, phone_number: `2547${10_000_000 + id}`, date_joined: '2025-11-03T07:30:00Z' },
    image: null,
    id_front: null,
    id_back: null,
    license: null,
    vehicle: { registration: 'KDA 123B' },
    online: true,
    busy: false,
    deleted: false,
    wallet_balance: 1250.5,
    total_trips: 42,
    total_earnings: 98_765.4,
    total_completed_trips: 40,
    total_failed_trips: 2,
  }
  return Object.assign(driver, given)
}

export function wireTrip(given: Given<Trip> = {}) {
  return {
    id: ++serial,
    start_name: 'Westlands',
    destination_name: 'Karen',
    created_at: '2025-11-03T07:30:00Z',
    customer: { user: { fullname: 'Wanjiru Otieno' } },
    driver: { user: { fullname: 'Jo Kamau' } },
    status: 'Completed',
    cost: 1500,
    distance: 12_345,
    notes: '',
    ...given,
  }
}

export function wireTransaction(given: Given<DriverTransaction> = {}) {
  return { transaction_id: ++serial, amount: 500, created_at: '2025-11-03T07:30:00Z', ...given }
}

/** As our own server sends it: with what goes beyond S3.16. */
export function wireSos(given: Given<SosLog> = {}) {
  return {
    id: ++serial,
    raised_by: 'Customer',
    latitude: -1.25991234,
    longitude: 36.8,
    created_at: '2025-11-03T07:30:00Z',
    handled_at: null,
    handled_by: null,
    version: 1,
    near: { text: '320 m NE of Sarit Centre', credit: '© OpenStreetMap contributors' },
    trip: {
      id: 31,
      driver: { id: 12, user: { fullname: 'Jo Kamau', phone_number: '254700000012' } },
      customer: { id: 5, user: { fullname: 'Amina Yusuf', phone_number: '254712345678' } },
      start_name: 'Westlands',
      destination_name: 'Karen',
    },
    ...given,
  }
}

/** S3.17: one page of a list. */
export function wirePage(results: readonly unknown[], given: Record<string, unknown> = {}) {
  return {
    results,
    current_page_number: 1,
    total_pages: results.length ? 1 : 0,
    next_page: null,
    previous_page: null,
    count: results.length,
    ...given,
  }
}

export function wireAnalytics(given: Given<Analytics> = {}) {
  return {
    cash_in_hand: 1_200_000,
    pending_reconciliation: 34_567.89,
    total_revenue: 1_234_567.89,
    total_amount: 6_000_000,
    total_driver_amount: 4_920_000,
    total_twende_amount: 1_080_000,
    total_riders: 1_234,
    total_customers: 5_678,
    total_completed_trips: 90_123,
    total_suspended_riders: 12,
    total_failed_trips: 345,
    total_bookings: 678,
    total_ongoing_bookings: 21,
    total_completed_bookings: 600,
    total_pending_bookings: 57,
    online_drivers: 432,
    percent_online_drivers: 35.5,
    ...given,
  }
}

/** Points of one trip more each, from 10 November 2026 or from midnight of the 23rd. */
export function wireTrends(days: number, length = days) {
  const start = days === 1 ? Date.UTC(2026, 10, 22, 21) : Date.UTC(2026, 10, 9, 21)
  const step = (days === 1 ? 1 : 24) * 3_600_000
  const figures = (trips: number) => ({
    ...{ trips, fares: trips * 100.25, commission: trips * 18.05, cash: 0 },
    ...{ drivers: 1, customers: 2, sos: 0 },
  })
  return {
    as_of: '2026-11-23T04:30:00.000Z',
    days,
    points: Array.from({ length }, (_, nth) => ({
      at: new Date(start + nth * step).toISOString(),
      ...figures(nth + 1),
    })),
    before: { ...figures(50), sos: 4 },
    areas: [
      { area: 'Nairobi', trips: 75, fares: 7_518.75 },
      { area: null, trips: 20, fares: 2_005 },
      { area: 'Mombasa', trips: 10, fares: 1_002.5 },
    ],
  }
}

export function wireInvoice(given: Given<Invoice> = {}) {
  const invoice = {
    id: ++serial,
    driver: { id: 12, user: { fullname: 'Jo Kamau' } },
    amount: 2500,
    paid: false,
    over_due: false,
    invoice_for: 'Commission for October',
    invoice_date_added: '2025-11-03T07:30:00Z',
    date_paid: null,
    grace_end_date: '2025-11-10T07:30:00Z',
  }
  return Object.assign(invoice, given)
}

export function wireCoupon(given: Given<Coupon> = {}) {
  const coupon = {
    id: ++serial,
    code: 'SAVE50',
    amount: 50,
    valid_till: '2099-12-31',
    created_at: '2025-11-03T07:30:00Z',
    users: [],
    deleted: false,
    version: 1,
  }
  return Object.assign(coupon, given)
}

export function wirePromo(given: Given<PromoCode> = {}) {
  const promo = {
    id: ++serial,
    code: 'KARIBU100',
    title: 'Welcome',
    description: 'For a first ride',
    amount: 100,
    valid_till: '2099-12-31',
    promo_type: 'Internal',
    user: { id: 7, user: { fullname: 'Amina Yusuf', phone_number: '254712345678' } },
    redemeed: false,
    deleted: false,
    version: 1,
  }
  return Object.assign(promo, given)
}

export function wireBlog(given: Given<Blog> = {}) {
  const blog = {
    id: ++serial,
    title: 'Lamu time',
    sub_title: 'Slow days',
    content: 'First line\nSecond line',
    image: '/files/lamu.png',
    deleted: false,
    version: 1,
  }
  return Object.assign(blog, given)
}

export function wireAttraction(given: Given<Attraction> = {}) {
  const attraction = {
    id: ++serial,
    name: 'Giraffe Centre',
    description: 'Giraffes at eye level',
    image: '/files/giraffe.png',
    lat: '-1.376400',
    lng: '36.744500',
    location: { placeName: 'Giraffe Centre, Langata', lat: -1.3764, lng: 36.7445 },
    deleted: false,
    version: 1,
  }
  return Object.assign(attraction, given)
}

export function wireCustomer(given: { id?: number; fullname?: string; phone_number?: string } = {}) {
  const { id = ++serial, fullname = 'Amina Yusuf', phone_number = '254712345678' } = given
  return { id, user: { fullname, phone_number, date_joined: '2025-11-03T07:30:00Z' } }
}
