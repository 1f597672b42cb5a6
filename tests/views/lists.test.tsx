import { screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import '../support/indexed-db.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wireBlog, wireCoupon, wirePage, wireTrip } from '../support/wire.ts'

type Json = Record<string, unknown>

/** A list as section 2 of the specification describes it. */
interface ListScreen {
  title: string
  path: string
  call: string
  clauses: { title: string; empty: string; call: string }
  /** The names of the buttons next to the title. */
  buttons?: string[]
  search?: { placeholder: string; parameter: 's' | 'name' }
  /** Whether 'Loading....' is shown while it loads. */
  saysLoading?: true
  empty: string
  row: Json
}

interface TableScreen extends ListScreen {
  columns: string
  headers: string[]
  /** The text of each cell of the row; for a picture, its name. */
  cells: string[]
  /** By column, the exact values (R4) of cells that round, clip, or show another value than their header says. */
  exact: Record<string, string>
  links?: [text: string, href: string][]
  /** Rows with missing or malformed fields, and the texts of their cells. */
  odd: [Json, string[]][]
}

const moment = '2025-11-02T22:30:00Z'
const day = '3rd Nov 2025'
const dayAndTime = '3rd Nov 2025, 1:30 am'
const jo = { fullname: 'Jo Kamau', phone_number: '254700000012', date_joined: moment }
const amina = { fullname: 'Amina Yusuf', phone_number: '+254712345678', date_joined: moment }
const driver = { id: 12, user: jo }
const customer = { id: 41, user: amina }

const tables: TableScreen[] = [
  {
    title: 'Customers',
    path: '/customers',
    call: 'customers/',
    clauses: { title: 'S2.f.1', empty: 'S2.f.3', call: 'S7.11' },
    buttons: ['Export Customers to Excel'],
    search: { placeholder: 'Search customer by name...', parameter: 's' },
    saysLoading: true,
    empty: 'No Customers to display',
    columns: 'S2.f.2',
    headers: ['ID #', 'Name', 'Phone No', 'Date joined', 'Completed Trips', 'Failed Trips', 'Wallet(Ksh)'],
    row: {
      id: 41,
      user: amina,
      total_completed_trips: 1234,
      total_failed_trips: 7,
      wallet_balance: -98_765.456,
    },
    cells: ['41', 'Amina Yusuf', '+254712345678', day, '1,234', '7', '-98,765.46'],
    exact: { Name: 'Amina Yusuf', 'Date joined': dayAndTime, 'Wallet(Ksh)': '-98765.456' },
    links: [['+254712345678', 'tel:+254712345678']],
    odd: [
      [
        {
          id: 1,
          user: null,
          total_completed_trips: null,
          total_failed_trips: null,
          wallet_balance: null,
        },
        ['1', '', '', '', '0', '0', '0'],
      ],
      [
        {
          id: 'C-7',
          user: { fullname: 7, date_joined: 'yesterday' },
          total_completed_trips: '12',
          wallet_balance: ' 50.5 ',
        },
        ['C-7', '7', '', '', '12', '0', '50.50'],
      ],
    ],
  },
  {
    title: 'Staff users',
    path: '/staff',
    call: 'staff-users/',
    clauses: { title: 'S2.g.1', empty: 'S2.g.1', call: 'S7.12' },
    empty: 'No staff users to display',
    columns: 'S2.g.1',
    headers: ['ID #', 'Email', 'Date joined'],
    row: { id: 3, email: 'asha@twende.test', date_joined: '2025-12-11T02:15:00+03:00' },
    cells: ['3', 'asha@twende.test', '11th Dec 2025'],
    exact: { Email: 'asha@twende.test', 'Date joined': '11th Dec 2025, 2:15 am' },
    odd: [
      [{ id: null, email: null, date_joined: null }, ['', '', '']],
      // A calendar date has no time, so there is no exact value.
      [{ id: 4, email: { at: 'x' }, date_joined: '2025-11-03' }, ['4', '', day]],
    ],
  },
  {
    title: 'Vehicles',
    path: '/vehicles',
    call: 'vehicles/',
    clauses: { title: 'S2.h.1', empty: 'S2.h.3', call: 'S7.13' },
    search: { placeholder: 'Search vehicle by number plate...', parameter: 's' },
    empty: 'No vehicles to display',
    columns: 'S2.h.2',
    headers: ['ID #', 'Registration', 'Color', 'Driver', 'Date added'],
    row: { id: 8, registration: 'KDA 123B', color: 'White', driver },
    cells: ['8', 'KDA 123B', 'White', 'Jo Kamau', day],
    exact: { Registration: 'KDA 123B', 'Date added': `The date the driver joined: ${dayAndTime}` },
    links: [['Jo Kamau', '/riders/12']],
    odd: [
      [{ id: 1, registration: null, color: null, driver: null }, ['1', '', '', '', '']],
      [{ id: 2, registration: 123, color: [], driver: { user: 'Jo' } }, ['2', '123', '', '', '']],
    ],
  },
  {
    title: 'Trips',
    path: '/trips',
    call: 'trips/',
    clauses: { title: 'S2.i.1', empty: 'S2.i.2', call: 'S7.14' },
    empty: 'No Trips to display',
    columns: 'S2.i.1',
    headers: [
      'ID #',
      'Origin',
      'Destination',
      'Trip date',
      'Customer',
      'Driver',
      'Status',
      'Cost',
      'Distance (km)',
      'Notes',
    ],
    row: {
      id: 90,
      start_name: 'Westlands',
      destination_name: 'Karen',
      created_at: moment,
      customer,
      driver,
      status: 'Completed',
      cost: 1500.5,
      distance: 12_345,
      notes: 'Two bags',
    },
    cells: [
      '90',
      'Westlands',
      'Karen',
      day,
      'Amina Yusuf',
      'Jo Kamau',
      'Completed',
      '1,500.50',
      '12.35',
      'Two bags',
    ],
    exact: {
      Origin: 'Westlands',
      'Trip date': dayAndTime,
      Status: 'Completed',
      Cost: '1500.5',
      'Distance (km)': '12345 m',
      Notes: 'Two bags',
    },
    links: [
      ['Amina Yusuf', '/customers?s=Amina+Yusuf'],
      ['Jo Kamau', '/riders/12'],
    ],
    odd: [
      [
        { id: 1, customer: null, driver: null, status: null, cost: null, distance: null, notes: null },
        ['1', '', '', '', '', '', '', '0', '0', ''],
      ],
      [
        {
          id: 2,
          start_name: {},
          created_at: 1_762_155_000_000,
          customer: 'Amina',
          status: 'Lost at sea',
          cost: '250',
          distance: '999',
        },
        ['2', '', '', '', 'Amina', '', 'Lost at sea', '250.00', '1.00', ''],
      ],
    ],
  },
  {
    title: 'Bookings',
    path: '/bookings',
    call: 'pre-bookings/',
    clauses: { title: 'S2.j.1', empty: 'S2.j.3', call: 'S7.15' },
    empty: 'No Bookings to display',
    columns: 'S2.j.2',
    headers: [
      'ID #',
      'Pickup (lat/lng)',
      'Date created',
      'Appointment date',
      'Customer',
      'Driver',
      'Duration',
      'Cost',
      'Status',
      'Pickup time',
      'Dropoff time',
      'Payment Status',
    ],
    row: {
      id: 31,
      start_lat: -1.28638912,
      start_lng: 36.8,
      created_at: moment,
      appointment_date: '2025-11-22T06:00:00Z',
      customer,
      driver,
      slot: { name: 'Half day', amount: 4500 },
      status: 'Accepted',
      pickup_time: '2025-11-22T05:05:00Z',
      dropoff_time: '2025-11-22T11:45:00Z',
      paid: true,
    },
    cells: [
      '31',
      '-1.286389, 36.800000',
      day,
      '22nd Nov 2025',
      'Amina Yusuf',
      'Jo Kamau',
      'Half day',
      '4,500.00',
      'Accepted',
      '22nd Nov 2025, 8:05 am',
      '22nd Nov 2025, 2:45 pm',
      'Paid',
    ],
    exact: {
      'Pickup (lat/lng)': '-1.28638912, 36.8',
      'Date created': dayAndTime,
      'Appointment date': '22nd Nov 2025, 9:00 am',
      Cost: '4500',
      Status: 'Accepted',
      'Pickup time': '22nd Nov 2025, 8:05 am',
    },
    links: [
      ['Amina Yusuf', '/customers?s=Amina+Yusuf'],
      ['Jo Kamau', '/riders/12'],
    ],
    odd: [
      [
        { id: 1, customer: null, driver: null, slot: null, status: null, pickup_time: null, paid: null },
        ['1', '', '', '', '', '', '', '0', '', '', '', ''],
      ],
      [
        {
          id: 2,
          start_lng: 36.8,
          appointment_date: '2025-11-22',
          customer: 'Amina Yusuf',
          driver: { fullname: 'Jo Kamau' },
          slot: 'Half day',
          status: 'Lost at sea',
          pickup_time: '2025-11-22',
          dropoff_time: 'soon',
          paid: false,
        },
        [
          '2',
          '',
          '',
          '22nd Nov 2025',
          'Amina Yusuf',
          'Jo Kamau',
          '',
          '0',
          'Lost at sea',
          '22nd Nov 2025',
          '',
          'Not paid',
        ],
      ],
    ],
  },
  {
    title: 'Invoices',
    path: '/invoices',
    call: 'all-invoices/',
    clauses: { title: 'S2.k.1', empty: 'S2.k.1', call: 'S7.23' },
    search: { placeholder: 'Search driver by name or phone number...', parameter: 's' },
    empty: 'No Invoices to display',
    columns: 'S2.k.2, S2.k.3, S2.k.5, S9.1',
    headers: [
      'ID #',
      'Driver',
      'Amount',
      'Paid',
      'Over Due',
      'Invoice For',
      'Invoice Date',
      'Date Paid',
      'Grace End Date',
      'Action',
    ],
    row: {
      id: 70,
      driver,
      amount: 12_345.67,
      paid: false,
      over_due: true,
      invoice_for: 'Commission for October',
      invoice_date_added: moment,
      date_paid: null,
      grace_end_date: '2025-11-12T08:00:00Z',
    },
    cells: [
      '70',
      'Jo Kamau',
      'Ksh. 12,346',
      'Paid: no',
      'Over Due: yes',
      'Commission for October',
      day,
      '',
      '12th Nov 2025',
      'Clear',
    ],
    exact: {
      Driver: 'Jo Kamau',
      Amount: '12345.67',
      'Invoice Date': dayAndTime,
      'Grace End Date': '12th Nov 2025, 11:00 am',
    },
    links: [['Jo Kamau', '/riders/12']],
    odd: [
      [
        { id: 1, driver: null, amount: null, paid: null, over_due: null },
        ['1', '', 'Ksh. 0', '', '', '', '', '', '', ''],
      ],
      [
        { id: 2, driver: { user: jo }, amount: '999', paid: true, over_due: false, date_paid: moment },
        ['2', 'Jo Kamau', 'Ksh. 999', 'Paid: yes', 'Over Due: no', '', '', day, '', ''],
      ],
      [{ id: 3, paid: 'false', over_due: 0 }, ['3', '', 'Ksh. 0', '', '', '', '', '', '', '']],
    ],
  },
  {
    title: 'invites',
    path: '/invites',
    call: 'driver-invites/',
    clauses: { title: 'S2.l.1', empty: 'S2.l.1', call: 'S7.24' },
    search: { placeholder: 'Search driver by name or phone number...', parameter: 's' },
    empty: 'No Invites to display',
    columns: 'S2.l.2, S2.l.4',
    headers: ['ID #', 'Driver', 'Customer', 'Invite code', 'Date joined'],
    row: { id: 9, driver, customer, created_at: moment },
    cells: ['9', 'Jo Kamau', 'Amina Yusuf', 'JO12', day],
    exact: { Driver: 'Jo Kamau', 'Date joined': `The date of the invite: ${dayAndTime}` },
    links: [
      ['Jo Kamau', '/riders/12'],
      ['Amina Yusuf', '/customers?s=Amina+Yusuf'],
    ],
    odd: [
      [{ id: 1, driver: null, customer: null, created_at: null }, ['1', '', '', '', '']],
      // Without both name and id there is no invite code.
      [{ id: 2, driver: { user: jo }, customer: 'Amina' }, ['2', 'Jo Kamau', 'Amina', '', '']],
      [{ id: 3, driver: { id: 12, user: {} } }, ['3', '', '', '', '']],
    ],
  },
  {
    title: 'Attractions',
    path: '/attractions',
    call: 'attractions/all/',
    clauses: { title: 'S2.m.1', empty: 'S2.m.4', call: 'S7.17' },
    buttons: ['Add attraction'],
    search: { placeholder: 'Search attraction by name...', parameter: 'name' },
    saysLoading: true,
    empty: 'No attractions to display',
    columns: 'S2.m.2, S2.m.3, S9.5',
    headers: ['ID #', 'Image', 'Name', 'Location', 'Latitude', 'Longitude', 'Action'],
    row: {
      id: 5,
      name: 'Giraffe Centre',
      description: 'Giraffes at eye level',
      image: '/files/giraffe.png',
      lat: '-1.376400',
      lng: '36.74451234',
      location: { placeName: 'Giraffe Centre, Langata', lat: -1.3764, lng: 36.7445 },
      deleted: false,
    },
    cells: [
      '5',
      'Cover of Giraffe Centre',
      'Giraffe Centre',
      'Giraffe Centre, Langata',
      '-1.376400',
      '36.744512',
      'Delete',
    ],
    exact: { Location: 'Giraffe Centre, Langata', Latitude: '-1.376400', Longitude: '36.74451234' },
    links: [['5', '/attractions/5']],
    odd: [
      [{ id: 1, name: null, image: null, lat: null, lng: null }, ['1', '', '', '', '', '', 'Delete']],
      [
        { id: 'x y', image: {}, name: 'Karura', lat: 0, lng: 'east', location: 'Karura' },
        ['x y', '', 'Karura', '', '0.000000', '', 'Delete'],
      ],
    ],
  },
  {
    title: 'Coupons',
    path: '/coupons',
    call: 'coupons/',
    clauses: { title: 'S2.p.1', empty: 'S2.p.4', call: 'S7.28' },
    buttons: ['Create coupon'],
    empty: 'No Invites to display',
    columns: 'S2.p.2, S2.p.3',
    headers: ['ID #', 'Code', 'Amount', 'Expiry date', 'Users', 'Actions'],
    row: {
      id: 5,
      code: 'SAVE50',
      amount: 1250,
      valid_till: '2099-12-31',
      created_at: moment,
      users: [{ user: jo }, { user: amina }],
      deleted: false,
    },
    cells: ['5', 'SAVE50', '1,250.00', day, 'Jo Kamau, Amina Yusuf', 'Edit Delete'],
    exact: {
      Amount: '1250',
      'Expiry date': `Created: ${dayAndTime}. Valid till: 31st Dec 2099`,
      Users: 'Jo Kamau, Amina Yusuf',
    },
    odd: [
      [
        { id: 1, code: null, amount: null, valid_till: null, created_at: null, users: null },
        ['1', '', '0', '', '', 'Edit Delete'],
      ],
      [
        { id: 2, code: 50, amount: '12.5', created_at: 'never', users: [null, 'Jo Kamau', {}] },
        ['2', '50', '12.50', '', 'Jo Kamau', 'Edit Delete'],
      ],
      [{ id: 3, users: { user: jo } }, ['3', '', '0', '', '', 'Edit Delete']],
    ],
  },
  {
    title: 'Promo codes',
    path: '/promos',
    call: 'promo-codes/',
    clauses: { title: 'S2.q.1', empty: 'S2.q.3', call: 'S7.31' },
    buttons: ['Create promo code'],
    empty: 'No promo codes to display',
    columns: 'S2.q.2, S3.14',
    headers: ['ID #', 'Code', 'Title', 'Description', 'Amount', 'Expiry date', 'User', 'Redeemed', 'Actions'],
    row: {
      id: 6,
      code: 'KARIBU100',
      title: 'Welcome',
      description: 'For a first ride',
      amount: 100,
      valid_till: '2025-11-03',
      promo_type: 'Internal',
      user: { id: 7, user: amina },
      redemeed: true,
      deleted: false,
    },
    cells: [
      '6',
      'KARIBU100',
      'Welcome',
      'For a first ride',
      '100.00',
      day,
      'Amina Yusuf +254712345678',
      'Yes',
      'Edit Delete',
    ],
    exact: { Description: 'For a first ride', 'Expiry date': day, User: 'Amina Yusuf +254712345678' },
    links: [
      ['Amina Yusuf', '/customers?s=Amina+Yusuf'],
      ['+254712345678', 'tel:+254712345678'],
    ],
    odd: [
      [
        { id: 1, code: null, amount: null, valid_till: null, user: null, redemeed: null },
        ['1', '', '', '', '0', '', '', '', 'Edit Delete'],
      ],
      [
        // The date is never shifted to the next day.
        { id: 2, amount: '5', valid_till: '2025-11-03T22:30:00Z', user: 'Amina', redemeed: false },
        ['2', '', '', '', '5.00', day, 'Amina', 'No', 'Edit Delete'],
      ],
      [
        { id: 3, user: { id: 7, user: { fullname: 'Amina' } }, redemeed: 'yes' },
        ['3', '', '', '', '0', '', 'Amina', '', 'Edit Delete'],
      ],
    ],
  },
  {
    title: 'SOS logs',
    path: '/sos',
    call: 'sos-lists/',
    clauses: { title: 'S2.r.1', empty: 'S2.r.3', call: 'S7.35' },
    empty: 'No SOS logs to display',
    columns: 'S2.r.2, S9.5',
    headers: [
      'ID #',
      'Raised by',
      'Driver',
      'Customer',
      'From location',
      'Destination location',
      'SOS latitude',
      'SOS longitude',
      'SOS date',
    ],
    row: {
      id: 2,
      raised_by: 'Customer',
      latitude: -1.28638912,
      longitude: 36.8,
      created_at: moment,
      trip: {
        driver: { user: { fullname: 'Jo Kamau', phone_number: '+254700000012' } },
        customer,
        start_name: 'Westlands',
        destination_name: 'Karen',
      },
    },
    cells: [
      '2',
      'Customer',
      'Jo Kamau +254700000012',
      'Amina Yusuf +254712345678',
      'Westlands',
      'Karen',
      '-1.286389',
      '36.800000',
      dayAndTime,
    ],
    exact: { 'SOS latitude': '-1.28638912', 'SOS longitude': '36.8', 'From location': 'Westlands' },
    odd: [
      [
        { id: 1, raised_by: null, latitude: null, longitude: null, created_at: null, trip: null },
        ['1', '', '', '', '', '', '', '', ''],
      ],
      [
        {
          id: 3,
          raised_by: { user: amina },
          latitude: '-1.5',
          longitude: 'east',
          created_at: '1970-01-01T00:00:00Z',
          trip: { driver: 'Jo Kamau', customer: { fullname: 'Amina', phone_number: {} }, start_name: {} },
        },
        ['3', 'Amina Yusuf', 'Jo Kamau', 'Amina', '', '', '-1.500000', '', ''],
      ],
    ],
  },
]

const lists: ListScreen[] = [
  ...tables,
  {
    title: 'Blogs',
    path: '/blogs',
    call: 'blogs-adm/',
    clauses: { title: 'S2.o.1', empty: 'S2.o.4', call: 'S7.25' },
    buttons: ['Create Blog'],
    saysLoading: true,
    empty: 'No blogs to shows',
    row: wireBlog(),
  },
]

/** The rows of the table, or the cards. */
const records = () => document.querySelectorAll('tbody tr:not([aria-hidden]),article')

async function open({ path, call }: ListScreen, ...rows: Json[]) {
  serve({ [`GET ${call}`]: wirePage(rows) })
  const { user } = renderApp({ path })
  await waitFor(() => expect(records()).toHaveLength(rows.length))
  return user
}

/** The cells of a row by the headers of their columns. */
function cellsOf(row: number): Map<string, HTMLElement> {
  const headers = [...document.querySelectorAll('th')]
  const cells = records()[row - 1]?.querySelectorAll('td') ?? []
  return new Map([...cells].map((cell, at) => [headers[at]?.textContent ?? '', cell]))
}

/** The text of a cell: the text of its buttons, else its own text, else the name of its picture. */
function saidBy(cell: HTMLElement | undefined): string {
  const buttons = [...(cell?.querySelectorAll('button') ?? [])]
  const picture = cell?.querySelector('img,[role=img]')
  return (
    buttons.map(({ textContent }) => textContent).join(' ') ||
    cell?.textContent ||
    (picture?.getAttribute('alt') ?? picture?.getAttribute('aria-label') ?? '')
  )
}
const said = (row: number, columns: readonly string[]) => {
  const cells = cellsOf(row)
  return columns.map((header) => saidBy(cells.get(header)))
}

describe.each(lists)('the list "$title"', (list) => {
  const { title, path, call, clauses, buttons = [], search, saysLoading = false, empty, row } = list

  it(`has the specified title, buttons and search box, if any (${clauses.title})`, async () => {
    await open(list, row)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
    expect(document.title).toMatch(`${title} `)
    for (const button of buttons) expect(screen.getByRole('button', { name: button })).toBeTruthy()
    expect(screen.queryAllByRole('searchbox').map((box) => box.getAttribute('placeholder'))).toEqual(
      search ? [search.placeholder] : [],
    )
  })

  it(`${saysLoading ? 'shows Loading.... while it loads' : 'shows no text while it loads'}, then the empty text (${clauses.empty})`, async () => {
    const reply = hold()
    serve({ [`GET ${call}`]: reply.answer })
    renderApp({ path })
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
    expect(screen.queryAllByText(/loading/i).map(({ textContent }) => textContent)).toEqual(
      saysLoading ? ['Loading....'] : [],
    )
    expect(screen.queryByText(empty)).toBeNull()
    reply.give(wirePage([]))
    expect(await screen.findByText(empty)).toBeTruthy()
    expect(screen.queryByText(/loading/i)).toBeNull()
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
  })

  it('shows neither a message nor the empty text after a failed load, and its rows after Retry (R1, S8.10, S8.11)', async () => {
    serve({ [`GET ${call}`]: () => refuse(400, 'Boom') })
    const { user } = renderApp({ path })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    expect(screen.queryByText(empty)).toBeNull()
    expect(screen.queryByText(/loading|Boom/i)).toBeNull()
    expect(toasts()).toEqual([])
    serve({ [`GET ${call}`]: wirePage([row]) })
    await user.click(retry)
    await waitFor(() => expect(records()).toHaveLength(1))
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it(`requests the page and the search of its address, then the next page (${clauses.call}, S2.u.1, S9.4)`, async () => {
    const asked = () => callsTo(`GET ${call}`).map(({ query }) => query)
    const filters = ['s', search?.parameter === 'name' ? 'name' : 'phone']
    serve({
      [`GET ${call}`]: ({ query }: { query: Json }) =>
        wirePage([row], { current_page_number: Number(query['page']), total_pages: 2 }),
    })
    const given = Object.fromEntries(filters.map((name) => [name, `my ${name}`] as const))
    const { user } = renderApp({ path: `${path}?${new URLSearchParams(given)}` })
    await waitFor(() => expect(records()).toHaveLength(1))
    expect(asked()).toEqual([{ page: '1', ...given }])
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(asked()).toHaveLength(2))
    expect(asked()[1]).toEqual({ page: '2', ...given })
    expect(new URLSearchParams(window.location.search).get('page')).toBe('2')
  })

  it('renders whatever a server sends, without texts such as undefined or NaN (rulings, lists)', async () => {
    const parts = [null, 0, -1, true, false, '', 'text', '0000-00-00', [], [null], ['x'], {}]
    const users = parts.flatMap((part) => [{ user: part }, { user: { fullname: part, phone_number: part } }])
    const odd = fc.constantFrom<unknown>(...parts, ...users)
    const rows = fc.sample(fc.record(Object.fromEntries(Object.keys(row).map((key) => [key, odd]))), {
      numRuns: 25,
      seed: 1,
    })
    await open(list, ...rows)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('main').textContent).not.toMatch(/undefined|null|NaN|Invalid|1970|object/)
  })
})

describe.each(tables)('the table "$title"', (table) => {
  const { headers: expected, columns, row, cells, exact, links = [], odd } = table

  it(`has the specified columns in their order, with the specified texts and links (${columns})`, async () => {
    await open(table, row)
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(headers.filter(Boolean)).toEqual(expected)
    expect(said(1, expected)).toEqual(cells)
    const found = [...screen.getByRole('grid').querySelectorAll('a')]
    expect(found.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(links)
  })

  it('gives the exact value of cells that round, clip, or show another value than their header says (R4)', async () => {
    await open(table, row)
    const cells = cellsOf(1)
    const titles = Object.keys(exact).map((header) => [header, cells.get(header)?.title])
    expect(Object.fromEntries(titles)).toEqual(exact)
  })

  it('shows blanks, or 0 with the title "no value", for missing or malformed fields, and no empty links (S9.2, R4)', async () => {
    await open(table, ...odd.map(([sent]) => sent))
    expect(odd.map((_, at) => said(at + 1, expected))).toEqual(odd.map(([, shown]) => shown))
    for (const link of screen.getByRole('grid').querySelectorAll('a'))
      expect([link.textContent, link.getAttribute('href')]).not.toContain('')
    for (const [header, cell] of cellsOf(1))
      if (/^(Ksh\. )?0$/.test(cell.textContent)) expect([header, cell.title]).toEqual([header, 'no value'])
  })
})

describe.each(lists.flatMap((list) => (list.search ? [{ ...list, search: list.search }] : [])))(
  'the search of "$title"',
  (list) => {
    it(`sets its parameter and goes to page 1 (${list.clauses.title}, S2.u.1)`, async () => {
      const { path, call, row, search } = list
      serve({
        [`GET ${call}`]: ({ query }: { query: Json }) =>
          wirePage([row], { current_page_number: Number(query['page']), total_pages: 2 }),
      })
      const { user } = renderApp({ path: `${path}?page=2` })
      await waitFor(() => expect(records()).toHaveLength(1))
      await user.type(screen.getByRole('searchbox'), 'jo k{Enter}')
      expect(address()).toBe(`${path}?${search.parameter}=jo+k`)
      await waitFor(() =>
        expect(callsTo(`GET ${call}`).at(-1)?.query).toMatchObject({ page: '1', [search.parameter]: 'jo k' }),
      )
    })
  },
)

describe('the driver and the customer of a trip', () => {
  const links = () =>
    [...screen.getByRole('grid').querySelectorAll('a')].map((link) => link.getAttribute('href'))

  it('are plain text where the server sends no ids (S3.6)', async () => {
    serve({ 'GET trips/': wirePage([wireTrip()]) })
    renderApp({ path: '/trips' })
    expect((await screen.findByText('Jo Kamau')).tagName).toBe('TD')
    expect(links()).toEqual([])
  })

  it('are links to the driver and to the customer alone, where the server can filter by id', async () => {
    serve({
      'GET capabilities/': { filters: { customers: ['id:'] } },
      'GET trips/': wirePage([
        wireTrip({
          driver: { id: 12, user: { fullname: 'Jo Kamau' } },
          customer: { id: 7, user: { fullname: 'Amina Yusuf' } },
        }),
      ]),
    })
    renderApp({ path: '/trips' })
    await screen.findByText('Jo Kamau')
    await waitFor(() => expect(links()).toEqual(['/customers?filter=id:7', '/riders/12']))
  })

  it('are links to each of the users of a coupon whose id is sent, with commas between them', async () => {
    const users = [
      { id: 7, user: { fullname: 'Amina Yusuf' } },
      { user: { fullname: 'Jo Kamau' } },
      { id: 9, user: { fullname: 'Åsa Njeri' } },
    ]
    serve({
      'GET capabilities/': { filters: { customers: ['id:'] } },
      'GET coupons/': wirePage([wireCoupon({ users })]),
    })
    renderApp({ path: '/coupons' })
    const cell = (await screen.findByText('Amina Yusuf')).closest('td')
    expect(cell?.textContent).toBe('Amina Yusuf, Jo Kamau, Åsa Njeri')
    expect(cell?.title).toBe('Amina Yusuf, Jo Kamau, Åsa Njeri')
    await waitFor(() => expect(links()).toEqual(['/customers?filter=id:7', '/customers?filter=id:9']))
  })
})

it('the SOS logs are read-only (S2.r.1)', async () => {
  const sos = tables.find(({ path }) => path === '/sos')
  if (!sos) throw new Error('No table has the path /sos.')
  await open(sos, sos.row)
  expect(
    screen.getByRole('main').querySelectorAll('td button,td a,td input:not([type=checkbox])'),
  ).toHaveLength(0)
})
