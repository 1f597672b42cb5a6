import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { Customer, Page, StaffUser } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
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
  buildSlot,
  buildSos,
  buildStaff,
  buildTrip,
  buildVehicle,
} from '../../support/factories.ts'
import { read, useServer } from '../../support/server.ts'

const Rows = Page(Type.Object({ id: Type.Integer() }))
const oms = '/api/v1/oms'

/** Lists of records that refer to each other, in one database for all nouns. */
describe.each(engines)('lists with a few records on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  beforeAll(() => buildSmallWorld(server().engine))

  const results = async (url: string) =>
    read(await server().get(`${oms}/${url}`), Page(Type.Unknown())).results

  test.each([
    [
      'a customer has person, totals and wallet (S7.11, S3.3)',
      'customers/?s=otieno',
      {
        id: 11,
        user: { fullname: 'Otieno Odhiambo', phone_number: '254722555666', date_joined: at(1) },
        total_completed_trips: 1,
        total_failed_trips: 1,
        wallet_balance: -12.5,
      },
    ],
    [
      'a staff user has id, e-mail and date, and no secret (S7.12, S3.4)',
      'staff-users/?s=grace',
      { id: 91, email: 'Gräce.Wambui@twende.test', date_joined: at(2) },
    ],
    [
      'a vehicle has its plate, colour and driver (S7.13, S3.5)',
      'vehicles/?s=kda123b',
      {
        id: 21,
        registration: 'KDA 123B',
        color: 'Silver',
        driver: { id: 1, user: { fullname: 'Amina Yusuf', date_joined: at(3) } },
      },
    ],
    [
      'a trip has its places, people, status, cost, distance and notes (S7.14, S3.6)',
      'trips/?s=gate+b',
      {
        id: 31,
        start_name: 'Westlands',
        destination_name: 'Karen',
        created_at: at(4),
        customer: { id: 11, user: { fullname: 'Otieno Odhiambo' } },
        driver: { id: 1, user: { fullname: 'Amina Yusuf' } },
        status: 'Completed',
        cost: 1234.56,
        distance: 12_345,
        notes: 'Gate B',
      },
    ],
    [
      'the driver and the customer of a trip are null if it has none (S3.6)',
      'trips/?s=gigiri',
      {
        id: 32,
        start_name: 'Café Kilimani',
        destination_name: 'Gigiri',
        created_at: at(5),
        customer: null,
        driver: null,
        status: 'Requested',
        cost: 0,
        distance: 0,
        notes: '',
      },
    ],
    [
      'a booking has its place, people, slot, status, times and payment (S7.15, S3.8)',
      'pre-bookings/?s=amina',
      {
        id: 41,
        start_lat: -1.286389,
        start_lng: 36.817223,
        created_at: at(6),
        appointment_date: at(7),
        customer: { id: 11, user: { fullname: 'Otieno Odhiambo' } },
        driver: { id: 1, user: { fullname: 'Amina Yusuf' } },
        slot: { name: 'Full day', amount: 11_000.5 },
        status: 'Ongoing',
        pickup_time: at(8),
        dropoff_time: at(9),
        paid: true,
      },
    ],
    [
      'the driver and the times of a new booking are null (S3.8)',
      'pre-bookings/?s=njeri',
      {
        id: 42,
        start_lat: -4.0625,
        start_lng: 39.6795,
        created_at: at(6),
        appointment_date: at(7),
        customer: { id: 12, user: { fullname: 'Åsa Njeri' } },
        driver: null,
        slot: { name: 'Full day', amount: 11_000.5 },
        status: 'Pending',
        pickup_time: null,
        dropoff_time: null,
        paid: false,
      },
    ],
    [
      'a paid invoice has driver, amount, purpose and all its dates (S7.23, S3.9)',
      'all-invoices/?s=amina',
      {
        id: 51,
        driver: { id: 1, user: { fullname: 'Amina Yusuf' } },
        amount: 2500.05,
        paid: true,
        over_due: false,
        invoice_for: 'Commission, March',
        invoice_date_added: at(1),
        date_paid: at(2),
        grace_end_date: at(3),
        version: 1,
      },
    ],
    [
      'an invite has driver, customer and date (S7.24, S3.10)',
      'driver-invites/?s=asa',
      {
        id: 61,
        driver: { id: 1, user: { fullname: 'Amina Yusuf' } },
        customer: { id: 12, user: { fullname: 'Åsa Njeri' } },
        created_at: at(4),
      },
    ],
    [
      'an attraction has texts, image, place and six decimals (S7.17, S3.11, S9.5)',
      'attractions/all/?s=jesus',
      {
        id: 71,
        name: 'Fort Jesus',
        description: 'Since 1593.',
        image: '/files/fort.jpg',
        lat: '-4.062500',
        lng: '39.679500',
        location: { placeName: 'Old Town, Mombasa', lat: -4.0625, lng: 39.6795 },
        deleted: false,
        version: 3,
      },
    ],
    [
      'a blog has its texts and image (S7.25, S3.12)',
      'blogs-adm/?s=bicycle',
      {
        id: 81,
        title: 'Hell’s Gate by bicycle',
        sub_title: 'A day out',
        content: 'Bring water.\nBring a hat.',
        image: 'https://files.test/gate.jpg',
        deleted: false,
        version: 1,
      },
    ],
    [
      'a coupon has code, amount, dates and the names of its users (S7.28, S3.13)',
      'coupons/?s=karibu',
      {
        id: 101,
        code: 'KARIBU-10',
        amount: 10.55,
        valid_till: '2026-12-31',
        created_at: at(5),
        users: [
          { id: 11, user: { fullname: 'Otieno Odhiambo' } },
          { id: 12, user: { fullname: 'Åsa Njeri' } },
        ],
        deleted: false,
        version: 1,
      },
    ],
    [
      'an unused coupon without expiry date has no users and no date (S3.13)',
      'coupons/?s=safari',
      {
        id: 102,
        code: 'SAFARI%5',
        amount: 200,
        valid_till: null,
        created_at: at(5),
        users: [],
        deleted: false,
        version: 1,
      },
    ],
    [
      'a promo code has texts, amount, date, type, user and whether it was redeemed (S7.31, S3.14)',
      'promo-codes/?s=twende1',
      {
        id: 111,
        code: 'TWENDE1',
        title: 'First ride',
        description: 'Welcome aboard.',
        amount: 300.25,
        valid_till: '2026-02-28',
        promo_type: 'External',
        user: { id: 11, user: { fullname: 'Otieno Odhiambo', phone_number: '254722555666' } },
        redemeed: true,
        deleted: false,
        version: 1,
      },
    ],
    [
      'an SOS log has who raised it, where, and the people and places of the trip (S7.35, S3.16)',
      'sos-lists/?s=amina',
      {
        id: 121,
        raised_by: 'Driver',
        latitude: -1.3,
        longitude: 36.75,
        created_at: at(6),
        handled_at: null,
        handled_by: null,
        version: 1,
        near: { text: '850 m SW of Melchizedek Hospital', credit: '© OpenStreetMap contributors' },
        trip: {
          id: 31,
          driver: { id: 1, user: { fullname: 'Amina Yusuf', phone_number: '254712345678' } },
          customer: { id: 11, user: { fullname: 'Otieno Odhiambo', phone_number: '254722555666' } },
          start_name: 'Westlands',
          destination_name: 'Karen',
        },
      },
    ],
  ])('%s', async (_title, url, expected) => {
    expect(await results(url)).toEqual([expected])
  })

  test('driver and customer of an SOS log are null if its trip has none (S3.16)', async () => {
    const logs = read(await server().get(`${oms}/sos-lists/`), Page(Type.Unknown())).results
    expect(logs[1]).toMatchObject({
      id: 122,
      trip: { driver: null, customer: null, start_name: 'Café Kilimani', destination_name: 'Gigiri' },
    })
  })

  test('the user picker gets id and name of the customers that match its search (S7.34, S3.15, S5.4)', async () => {
    const answer = await server().get(`${oms}/customers/?page=1&s=nje`)
    const found = read(answer, Page(Customer)).results.map(({ id, user }) => [id, user.fullname])
    expect(found).toEqual([[12, 'Åsa Njeri']])
  })

  test('no reply contains the password of a staff member (S3.4)', async () => {
    const { body } = await server().get(`${oms}/staff-users/`)
    expect(body).not.toMatch(/argon2|password|hash|search/)
    expect(read(await server().get(`${oms}/staff-users/`), Page(StaffUser)).count).toBe(2)
  })

  describe.each([
    [
      'customers, in the name (S7.11)',
      'customers',
      [
        ['s=asa', [12]],
        ['s=ÅSA', [12]],
        ['s=sa%20nj', [12]],
        ['s=ODHIAMBO', [11]],
        ['s=o', [11]],
        ['s=254722', []],
        ['s=njeri%20asa', [12]],
        ['phone=0722%20555', [11]],
        ['phone=%2B254110777888', [12]],
        ['phone=777', [12]],
        ['phone=letters', []],
        ['s=asa&phone=0110', [12]],
        ['s=asa&phone=0722', []],
      ],
    ],
    [
      'staff users, in the e-mail (S7.12)',
      'staff-users',
      [
        ['s=GRACE.w', [91]],
        ['s=gräce', [91]],
        ['s=nobody', []],
        ['s=grace&phone=0722', [91]],
      ],
    ],
    [
      'vehicles, in the number plate with or without its spaces (S7.13, S2.h.1)',
      'vehicles',
      [
        ['s=KDA%20123B', [21]],
        ['s=kda123b', [21]],
        ['s=k%20d%20a%201%202%203%20b', [21]],
        ['s=a12', [21]],
        ['s=a%20%2012', [21]],
        ['s=KD', [22, 21]],
        ['s=456z', [22]],
        ['s=z', [22]],
        ['s=kda_123b', []],
        ['s=amina', []],
        ['phone=0733', [22]],
        ['s=kd&phone=0712', [21]],
        ['s=kda&phone=0733', []],
      ],
    ],
    [
      'trips, in places, notes and names (S7.14)',
      'trips',
      [
        ['s=WESTLANDS', [31]],
        ['s=karen', [31]],
        ['s=cafe%20kil', [32]],
        ['s=gate%20b', [31]],
        ['s=50%25', [33]],
        ['s=5_%25', []],
        ['s=amina', [31]],
        ['s=odhiambo', [34, 31]],
        ['s=wanjiku', [33]],
        ['s=WAÑJIKÜ', [33]],
        ['s=k', [33, 32, 31]],
        ['s=completed', []],
        ['phone=0712', [31]],
        ['phone=0110', [33]],
        ['s=karen&phone=0722', [31]],
        ['s=karen&phone=0110', []],
      ],
    ],
    [
      'bookings, in the names of driver and customer (S7.15)',
      'pre-bookings',
      [
        ['s=amina', [41]],
        ['s=odhiambo', [41]],
        ['s=åsa', [42]],
        ['s=i', [42, 41]],
        ['s=full%20day', []],
        ['phone=0712', [41]],
        ['phone=0722', [41]],
        ['phone=0110', [42]],
        ['s=asa&phone=0722', []],
      ],
    ],
    [
      'attractions, in the name, with the parameters s and name (S7.17, S2.m.1)',
      'attractions/all',
      [
        ['name=FORT', [71]],
        ['s=fort', [71]],
        ['name=ruins', [72]],
        ['name=r', [72, 71]],
        ['s=r&name=jesus', [71]],
        ['s=ruins&name=jesus', []],
        ['s=mombasa', []],
        ['name=ternan', []],
        ['name=%25', []],
        ['name=fort&phone=0712', [71]],
      ],
    ],
    [
      'invoices, in the name and phone number of the driver (S7.23, S2.k.1)',
      'all-invoices',
      [
        ['s=AMINA', [51]],
        ['s=zoe%20wanj', [53, 52]],
        ['s=0712%20345%20678', [51]],
        ['s=%2B254733', [53, 52]],
        ['s=733000', [53, 52]],
        ['s=0722', []],
        ['s=commission', []],
        ['phone=0733', [53, 52]],
        ['s=amina&phone=0712', [51]],
        ['s=amina&phone=0733', []],
      ],
    ],
    [
      'invites, in the names and phone numbers of driver and customer (S7.24, S2.l.1)',
      'driver-invites',
      [
        ['s=amina', [61]],
        ['s=asa', [61]],
        ['s=otieno', [62]],
        ['s=0733%20000%20111', [62]],
        ['s=0110', [61]],
        ['s=254', [62, 61]],
        ['s=ami1', []],
        ['phone=0722', [62]],
        ['phone=0712', [61]],
        ['s=asa&phone=0712', [61]],
        ['s=asa&phone=0733', []],
      ],
    ],
    [
      'blogs, in title and sub title (S7.25)',
      'blogs-adm',
      [
        ['s=hell’s%20gate', [81]],
        ['s=DAY%20OUT', [81]],
        ['s=coast', [82]],
        ['s=water', []],
        ['s=gone', []],
        ['s=coast&phone=0712', [82]],
      ],
    ],
    [
      'coupons, in the code (S7.28)',
      'coupons',
      [
        ['s=karibu-1', [101]],
        ['s=%25', [102]],
        ['s=safari_5', []],
        ['s=r', [102, 101]],
        ['s=gone', []],
        ['s=karibu&phone=0712', [101]],
      ],
    ],
    [
      'promo codes, in code and title, and in the phone number of the user (S7.31)',
      'promo-codes',
      [
        ['s=twende', [111]],
        ['s=first', [111]],
        ['s=PWANI', [112]],
        ['s=côte', [112]],
        ['s=gone', []],
        ['phone=0722', [111]],
        ['phone=0110', [112]],
        ['s=twende&phone=0110', []],
      ],
    ],
    [
      'SOS logs, in the names and phone numbers of driver and customer (S7.35)',
      'sos-lists',
      [
        ['s=amina', [121]],
        ['s=odhiambo', [121]],
        ['s=wanjiku', [123]],
        ['s=i', [123, 121]],
        ['phone=0733', [123]],
        ['phone=0110', [123]],
        ['phone=0722', [121]],
        ['s=amina&phone=0110', []],
      ],
    ],
  ] satisfies [string, string, [string, number[]][]][])('searching %s', (_title, path, cases) => {
    test.each(cases)('“%s” finds %j (rulings, lists)', async (query, expected) => {
      const { results, count, total_pages } = read(await server().get(`${oms}/${path}/?${query}`), Rows)
      expect(results.map(({ id }) => id)).toEqual(expected)
      expect([count, total_pages]).toEqual([expected.length, expected.length ? 1 : 0])
    })
  })

  test.each([
    ['attractions/all', [72, 71]],
    ['blogs-adm', [82, 81]],
    ['coupons', [102, 101]],
    ['promo-codes', [112, 111]],
  ])('deleted records are not in the list %s and not in its count (S4.7)', async (path, expected) => {
    const { results, count, total_pages } = read(await server().get(`${oms}/${path}/?page_size=1`), Rows)
    expect([results.map(({ id }) => id), count, total_pages]).toEqual([expected.slice(0, 1), 2, 2])
    const all = read(await server().get(`${oms}/${path}/`), Rows)
    expect(all.results.map(({ id }) => id)).toEqual(expected)
  })

  test('customers can be sorted by totals and wallet, and vehicles by plate, over all pages (rulings, lists)', async () => {
    const order = async (query: string) =>
      read(await server().get(`${oms}/${query}`), Rows).results.map(({ id }) => id)
    expect(await order('customers/?ordering=wallet_balance')).toEqual([11, 12])
    expect(await order('customers/?ordering=-wallet_balance')).toEqual([12, 11])
    expect(await order('customers/?ordering=-total_failed_trips')).toEqual([11, 12])
    expect(await order('customers/?ordering=fullname')).toEqual([12, 11])
    expect(await order('vehicles/?ordering=registration')).toEqual([21, 22])
    expect(await order('vehicles/?ordering=-registration')).toEqual([22, 21])
  })
})

/** Midnight of a day in January 2026, in the format of the API. */
function at(day: number): string {
  return new Date(time(day)).toISOString()
}

function time(day: number): number {
  return Date.UTC(2026, 0, day)
}

async function buildSmallWorld(engine: Engine): Promise<void> {
  await buildStaff(engine, {
    id: 91,
    email: 'Gräce.Wambui@twende.test',
    search: 'grace.wambui@twende.test',
    date_joined: time(2),
  })
  await buildDriver(engine, {
    id: 1,
    fullname: 'Amina Yusuf',
    phone_number: '254712345678',
    date_joined: time(3),
  })
  await buildDriver(engine, { id: 2, fullname: 'Zoë Wañjikü', phone_number: '254733000111' })
  await buildCustomer(engine, {
    id: 11,
    fullname: 'Otieno Odhiambo',
    phone_number: '254722555666',
    date_joined: time(1),
    wallet_balance: -1250,
  })
  await buildCustomer(engine, { id: 12, fullname: 'Åsa Njeri', phone_number: '254110777888' })
  await buildVehicle(engine, { id: 21, driver_id: 1, registration: 'KDA 123B', color: 'Silver' })
  await buildVehicle(engine, { id: 22, driver_id: 2, registration: 'KDG456Z' })
  await buildTrips(engine)
  await buildPapers(engine)
  await buildOffers(engine)
}

async function buildTrips(engine: Engine): Promise<void> {
  await buildTrip(engine, {
    id: 31,
    driver_id: 1,
    customer_id: 11,
    created_at: time(4),
    cost: 123_456,
    notes: 'Gate B',
  })
  await buildTrip(engine, {
    id: 32,
    start_name: 'Café Kilimani',
    destination_name: 'Gigiri',
    created_at: time(5),
    status: 'Requested',
    cost: 0,
    distance: 0,
  })
  await buildTrip(engine, {
    id: 33,
    driver_id: 2,
    customer_id: 12,
    start_name: 'Thika',
    destination_name: 'Ruiru',
    status: 'Ongoing',
    notes: '50% off',
  })
  await buildTrip(engine, {
    id: 34,
    customer_id: 11,
    start_name: 'Nyali',
    destination_name: 'Bamburi',
    status: 'Cancelled',
  })
  await buildSos(engine, {
    id: 121,
    trip_id: 31,
    raised_by: 'Driver',
    latitude: -1.3,
    longitude: 36.75,
    created_at: time(6),
  })
  await buildSos(engine, { id: 122, trip_id: 32 })
  await buildSos(engine, { id: 123, trip_id: 33 })
}

async function buildPapers(engine: Engine): Promise<void> {
  const { id: slot_id } = await buildSlot(engine, { name: 'Full day', amount: 1_100_050 })
  const booking = { slot_id, amount: 1_100_050, created_at: time(6), appointment_date: time(7) }
  await buildBooking(engine, {
    ...booking,
    id: 41,
    customer_id: 11,
    driver_id: 1,
    status: 'Ongoing',
    pickup_time: time(8),
    dropoff_time: time(9),
    paid: 1,
  })
  await buildBooking(engine, { ...booking, id: 42, customer_id: 12, start_lat: -4.0625, start_lng: 39.6795 })
  await buildInvoice(engine, {
    id: 51,
    driver_id: 1,
    amount: 250_005,
    paid: 1,
    invoice_for: 'Commission, March',
    invoice_date_added: time(1),
    date_paid: time(2),
    grace_end_date: time(3),
  })
  await buildInvoice(engine, { id: 52, driver_id: 2 })
  await buildInvoice(engine, { id: 53, driver_id: 2 })
  await buildInvite(engine, { id: 61, driver_id: 1, customer_id: 12, created_at: time(4) })
  await buildInvite(engine, { id: 62, driver_id: 2, customer_id: 11 })
}

async function buildOffers(engine: Engine): Promise<void> {
  await buildAttraction(engine, {
    id: 71,
    description: 'Since 1593.',
    image: '/files/fort.jpg',
    place_name: 'Old Town, Mombasa',
    version: 3,
  })
  await buildAttraction(engine, { id: 72, name: 'Mnarani Ruïns' })
  await buildAttraction(engine, { id: 73, name: 'Fort Ternan', deleted: 1 })
  await buildBlog(engine, {
    id: 81,
    sub_title: 'A day out',
    content: 'Bring water.\nBring a hat.',
    image: 'https://files.test/gate.jpg',
  })
  await buildBlog(engine, { id: 82, title: 'Çoast food', sub_title: 'Swahili' })
  await buildBlog(engine, { id: 83, title: 'Gone', deleted: 1 })
  await buildCoupon(engine, {
    id: 101,
    code: 'KARIBU-10',
    amount: 1055,
    valid_till: '2026-12-31',
    created_at: time(5),
    users: [12, 11],
  })
  await buildCoupon(engine, { id: 102, code: 'SAFARI%5', created_at: time(5) })
  await buildCoupon(engine, { id: 103, code: 'GONE', deleted: 1 })
  await buildPromoCode(engine, {
    id: 111,
    code: 'TWENDE1',
    description: 'Welcome aboard.',
    amount: 30_025,
    valid_till: '2026-02-28',
    promo_type: 'External',
    customer_id: 11,
    redemeed: 1,
  })
  await buildPromoCode(engine, { id: 112, code: 'PWANI', title: 'Côte', customer_id: 12 })
  await buildPromoCode(engine, { id: 113, code: 'GONE', customer_id: 12, deleted: 1 })
}
