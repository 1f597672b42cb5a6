/** One JSON record as a backend other than our server may send it. */
export type Sent = Record<string, unknown>

const long = `Wanjiru ${'wa Kariuki '.repeat(30)}`.slice(0, 300).trim()
const arabic = 'محمد بن عبد الله'
const emoji = '👩🏾‍🚀 Zawadi 🚕'
const markup = '<img src=x onerror=alert(1)> & "co"'

const first = ['Asha', 'Baraka', 'Chebet', 'Daudi', 'Esther', 'Faraji', 'Grace', 'Hamisi', 'Imani', 'Juma']
const last = ['Abdi', 'Barasa', 'Chege', 'Kiplagat']

const range = (length: number) => Array.from({ length }, (_, at) => at)
const pick = <T>(values: readonly T[], at: number) => values[at % values.length]
const at = (day: number) => new Date(Date.UTC(2026, 2, 1 + day, 7, 30)).toISOString()

/** Values in place of a date that must show as blank. */
const noDates = [
  null,
  '',
  'not a date',
  '0000-00-00',
  '2026-13-45T99:99:99Z',
  0,
  1_767_225_600,
  '1970-01-01T00:00:00Z',
  '1970-01-01T00:00:01+00:00',
  'Invalid Date',
  {},
]
/** Values in place of a number: invalid ones, and numbers as text. */
const oddNumbers = [null, '', 'NaN', '1250.50', '-3', 'abc', [], {}, true, 0]
/** Customers and drivers in a record: as objects, as text, and invalid. */
const parties = [
  'Amina Yusuf',
  { user: { fullname: arabic, phone_number: 254711000001 } },
  { user: { fullname: emoji } },
  { fullname: 'Otieno Odhiambo', phone_number: '+254711000002' },
  { user: { fullname: long, phone_number: '254711000003' } },
  null,
  '',
  { user: null },
  { user: 'Njeri Kamau' },
  [],
  7,
]

/** Well-formed drivers, for the journeys. */
const ordinaryDrivers: Sent[] = range(40).map((n) => ({
  id: 140 - n,
  user: {
    fullname: `${pick(first, n) ?? ''} ${pick(last, Math.floor(n / 10)) ?? ''}`,
    phone_number: `2547${String(20_000_000 + n * 137_911)}`,
    date_joined: at(n),
  },
  image: null,
  id_front: null,
  id_back: null,
  license: null,
  vehicle: { registration: `kd${'abcdefgh'[n % 8] ?? ''} ${100 + n}c` },
  online: n % 3 === 0,
  busy: n % 6 === 0,
  deleted: false,
  wallet_balance: 100 * n + 0.5,
  total_trips: 12,
  total_earnings: 3000 + n,
  total_completed_trips: 11,
  total_failed_trips: 1,
}))

const oddDrivers: Sent[] = [
  { id: 30, user: { fullname: long, phone_number: '+254 711 000 004', date_joined: noDates[7] } },
  { id: 29, user: { fullname: arabic, phone_number: 254711000005, date_joined: noDates[8] }, vehicle: {} },
  { id: 28, user: { fullname: emoji, phone_number: '', date_joined: noDates[9] }, vehicle: 'KDA 123B' },
  { id: 27, user: null, vehicle: null, image: '', online: 'yes', busy: null, deleted: null },
  { id: 26 },
  { id: '25', user: 'Njeri Kamau', wallet_balance: '1250.50', total_trips: '9', total_earnings: 'NaN' },
  { id: 24, user: { fullname: null, phone_number: null, date_joined: null }, total_completed_trips: [] },
  { id: 23, user: { fullname: markup, phone_number: '++254711000006', date_joined: 0 }, image: 'data:,' },
  { user: { fullname: 'Without Id', phone_number: '254711000007' }, deleted: true },
  { id: null, user: { fullname: 'Id Null' } },
]

const customers: Sent[] = [
  ...range(25).map((n) => ({
    id: 60 - n,
    user: {
      fullname: `Customer ${pick(first, n) ?? ''} ${n}`,
      phone_number: `25471100${1000 + n}`,
      date_joined: at(n),
    },
    total_completed_trips: n,
    total_failed_trips: 0,
    wallet_balance: n,
  })),
  ...noDates.map((date_joined, n) => ({
    id: 30 - n,
    user: {
      fullname: pick([long, arabic, emoji, '', null], n),
      phone_number: pick([null, '', 7, {}], n),
      date_joined,
    },
    total_completed_trips: pick(oddNumbers, n),
    total_failed_trips: pick(oddNumbers, n + 1),
    wallet_balance: pick(oddNumbers, n + 2),
  })),
  { id: 2, user: null },
  { id: 1 },
  { user: { fullname: 'Nobody' } },
]

/** One record for each invalid date, and an empty one. */
const oddly = (make: (n: number) => Sent) => [...range(noDates.length).map(make), {}]

const staffUsers = oddly((n) => ({
  id: 20 - n,
  email: pick(['asha@plain.test', null, '', long, 5], n),
  date_joined: noDates[n],
}))

const vehicles = oddly((n) => ({
  id: 20 - n,
  registration: pick(['kdb 200c', null, '', 7, {}], n),
  color: pick(['White', null, '🟥', {}], n),
  driver: n % 2 ? pick(parties, n) : { user: { fullname: arabic, date_joined: noDates[n] } },
}))

const trip = (n: number): Sent => ({
  id: 40 - n,
  start_name: pick(['Westlands', null, '', long, {}], n),
  destination_name: pick(['Karen', arabic, emoji, null], n),
  created_at: noDates[n],
  customer: pick(parties, n),
  driver: pick(parties, n + 1),
  status: pick(['Completed', 'Ongoing', 'Cancelled', 'En route', null, '', 5, {}], n),
  cost: pick(oddNumbers, n),
  distance: pick(oddNumbers, n + 3),
  notes: pick([null, '', markup, 'line\nline', []], n),
})

const bookings = oddly((n) => ({
  id: 20 - n,
  start_lat: pick([-1.2863891, '-1.286389', null, 'north'], n),
  start_lng: pick(['36.817223', null, {}, 36.8], n),
  created_at: noDates[n],
  appointment_date: noDates[noDates.length - 1 - n],
  customer: pick(parties, n),
  driver: pick(parties, n + 3),
  slot: pick([{ name: '4 hours', amount: '3500' }, null, {}, '4 hours', { name: null, amount: null }], n),
  status: pick(['Completed', 'Not Started', 'Accepted', 'Odd', null, 3], n),
  pickup_time: noDates[n],
  dropoff_time: pick([at(1), '09:30', null], n),
  paid: pick([true, false, null, 'yes', undefined], n),
}))

const invoices = [
  ...range(3).map((n) => ({
    id: 60 - n,
    driver: { id: 140 - n, user: { fullname: `${first[n] ?? ''} Abdi` } },
    amount: 1500 + n,
    paid: false,
    over_due: n === 1,
    invoice_for: 'March 2026',
    invoice_date_added: at(n),
    date_paid: null,
    grace_end_date: at(n + 7),
  })),
  ...oddly((n) => ({
    id: 20 - n,
    driver: pick(parties, n),
    amount: pick(oddNumbers, n),
    paid: pick([null, 'false', true, undefined, 0], n),
    over_due: pick([null, 'true', false], n),
    invoice_for: pick([null, long, {}, 3], n),
    invoice_date_added: noDates[n],
    date_paid: noDates[n],
    grace_end_date: noDates[n],
  })),
  { driver: { id: 140 }, paid: false },
]

const invites = oddly((n) => ({
  id: 20 - n,
  driver: pick([{ id: 140, user: { fullname: emoji } }, 'Amina Yusuf', null, { id: 139, user: null }], n),
  customer: pick(parties, n),
  created_at: noDates[n],
}))

const attractions: Sent[] = [
  {
    id: 9,
    name: 'Fort Jesus',
    description: 'A fort.',
    image: null,
    lat: '-4.062800',
    lng: '39.679400',
    location: { placeName: 'Fort Jesus', lat: -4.0628, lng: 39.6794 },
    deleted: false,
  },
  {
    id: 8,
    name: arabic,
    description: null,
    image: '',
    lat: null,
    lng: null,
    location: { placeName: 'Lamu', lat: '-2.27', lng: '40.9' },
  },
  {
    id: 7,
    name: long,
    description: markup,
    image: 5,
    lat: 'north',
    lng: '',
    location: 'Nairobi National Museum',
  },
  { id: 6, name: null, location: null },
  { id: 5, location: [] },
  { name: 'Without id' },
]

const blogs: Sent[] = [
  { id: 9, title: 'Diani', sub_title: 'Sand', content: 'One.\nTwo.', image: null, deleted: false },
  { id: 8, title: null, sub_title: null, content: null, image: null },
  { id: 7, title: long, sub_title: arabic, content: markup, image: '' },
  { id: 6 },
  { title: emoji },
  { title: 'Without id either' },
]

const coupons: Sent[] = [
  {
    id: 9,
    code: 'KARIBU',
    amount: 250,
    valid_till: '2099-12-31',
    created_at: at(1),
    users: [{ user: { fullname: arabic } }],
  },
  {
    id: 8,
    code: null,
    amount: '250.00',
    valid_till: '2099-12-31T20:59:59Z',
    created_at: noDates[8],
    users: null,
  },
  { id: 7, code: long, amount: null, valid_till: 'soon', created_at: 0, users: 'Amina Yusuf' },
  { id: 6, code: 5, amount: 'NaN', valid_till: null, created_at: '', users: parties },
  { id: 5, users: { user: { fullname: emoji } } },
  { code: 'WITHOUT ID', users: [] },
]

const promoCodes: Sent[] = [
  {
    id: 9,
    code: 'RIDE',
    title: 'Ride',
    description: 'A ride.',
    amount: 100,
    valid_till: '2099-12-31',
    promo_type: 'External',
    user: { id: 60, user: { fullname: emoji, phone_number: '254711001000' } },
    redemeed: false,
    deleted: false,
  },
  {
    id: 8,
    code: arabic,
    title: null,
    description: null,
    amount: '100',
    valid_till: noDates[7],
    promo_type: null,
    user: 'Amina Yusuf',
    redemeed: 'yes',
  },
  {
    id: 7,
    code: '',
    title: long,
    description: markup,
    amount: 'NaN',
    valid_till: 0,
    promo_type: 'Other',
    user: [],
    redemeed: null,
  },
  { id: 6 },
  { code: 'WITHOUT ID' },
]

const sosLogs = oddly((n) => ({
  id: 20 - n,
  raised_by: pick(parties, n),
  latitude: pick(oddNumbers, n),
  longitude: pick(['36.8', null, 'east'], n),
  created_at: noDates[n],
  trip: pick(
    [
      { driver: parties[n], customer: pick(parties, n + 1), start_name: long, destination_name: null },
      null,
      'Trip 5',
      {},
    ],
    n,
  ),
}))

const transaction = (n: number): Sent => ({
  transaction_id: pick([90 - n, `TX-${n}`, null], n),
  amount: pick(oddNumbers, n),
  created_at: noDates[n],
})

/** The commission under the key of another product; some numbers as text, null, an object, or missing. */
const analytics: Sent = {
  cash_in_hand: '1250.50',
  pending_reconciliation: null,
  total_revenue: 'NaN',
  total_amount: 20_000,
  total_driver_amount: '16400',
  total_safiri_amount: 3600,
  total_riders: '50',
  total_customers: {},
  total_completed_trips: '',
  total_failed_trips: 0,
  online_drivers: null,
  percent_online_drivers: '40%',
}

/** The initial records of the backend: a new copy for each test, as calls change them. */
export function plainRecords() {
  return structuredClone({
    analytics,
    drivers: [...ordinaryDrivers.slice(0, 15), ...oddDrivers, ...ordinaryDrivers.slice(15)],
    driverTrips: range(noDates.length).map(trip),
    driverTransactions: range(noDates.length).map(transaction),
    customers,
    staffUsers,
    vehicles,
    trips: oddly(trip),
    bookings,
    invoices,
    invites,
    attractions,
    blogs,
    coupons,
    promoCodes,
    sosLogs,
  })
}
