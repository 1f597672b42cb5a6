/** The lists that every page under comparison shows, with the calls and fields of the product's server. */
export interface List {
  /** The last part of the address in the peers. */
  name: string
  title: string
  /** The call of the list, below `api`. */
  call: string
  columns: readonly Column[]
}

export interface Column {
  /** The field, with dots between the names of nested objects. */
  key: string
  label: string
  kind: 'text' | 'phone' | 'day' | 'count' | 'money' | 'yesNo' | 'names' | 'presence' | 'suspend'
  /** The name under which the server sorts by it. */
  sort?: string
}

export const api = '/api/v1/oms/'

const column = (key: string, label: string, kind: Column['kind'] = 'text', sort?: string): Column => ({
  key,
  label,
  kind,
  ...(sort !== undefined && { sort }),
})
const id = column('id', 'ID #', 'text', 'id')
const person = [
  id,
  column('user.fullname', 'Name', 'text', 'fullname'),
  column('user.phone_number', 'Phone No', 'phone'),
  column('user.date_joined', 'Date joined', 'day', 'date_joined'),
  column('total_completed_trips', 'Completed Trips', 'count', 'total_completed_trips'),
  column('total_failed_trips', 'Failed Trips', 'count', 'total_failed_trips'),
  column('wallet_balance', 'Wallet(Ksh)', 'money', 'wallet_balance'),
]

export const lists: readonly List[] = [
  {
    name: 'drivers',
    title: 'Drivers',
    call: 'drivers/',
    columns: [...person, column('online', 'Status', 'presence'), column('deleted', 'Action', 'suspend')],
  },
  { name: 'customers', title: 'Customers', call: 'customers/', columns: person },
  {
    name: 'staff',
    title: 'Staff',
    call: 'staff-users/',
    columns: [id, column('email', 'Email'), column('date_joined', 'Date joined', 'day')],
  },
  {
    name: 'vehicles',
    title: 'Vehicles',
    call: 'vehicles/',
    columns: [
      id,
      column('registration', 'Registration', 'text', 'registration'),
      column('color', 'Color'),
      column('driver.user.fullname', 'Driver'),
      column('driver.user.date_joined', 'Date added', 'day'),
    ],
  },
  {
    name: 'invoices',
    title: 'Invoices',
    call: 'all-invoices/',
    columns: [
      id,
      column('driver.user.fullname', 'Driver'),
      column('amount', 'Amount', 'money'),
      column('paid', 'Paid', 'yesNo'),
      column('over_due', 'Over Due', 'yesNo'),
      column('invoice_for', 'Invoice For'),
      column('invoice_date_added', 'Invoice Date', 'day'),
      column('date_paid', 'Date Paid', 'day'),
      column('grace_end_date', 'Grace End Date', 'day'),
    ],
  },
  {
    name: 'trips',
    title: 'Trips',
    call: 'trips/',
    columns: [
      id,
      column('start_name', 'Origin'),
      column('destination_name', 'Destination'),
      column('created_at', 'Trip date', 'day'),
      column('customer.user.fullname', 'Customer'),
      column('driver.user.fullname', 'Driver'),
      column('status', 'Status'),
      column('cost', 'Cost', 'money'),
      column('distance', 'Distance (m)', 'count'),
      column('notes', 'Notes'),
    ],
  },
  {
    name: 'bookings',
    title: 'Bookings',
    call: 'pre-bookings/',
    columns: [
      id,
      column('start_lat', 'Pickup latitude'),
      column('start_lng', 'Pickup longitude'),
      column('created_at', 'Date created', 'day'),
      column('appointment_date', 'Appointment date', 'day'),
      column('customer.user.fullname', 'Customer'),
      column('driver.user.fullname', 'Driver'),
      column('slot.name', 'Duration'),
      column('slot.amount', 'Cost', 'money'),
      column('status', 'Status'),
      column('pickup_time', 'Pickup time', 'day'),
      column('dropoff_time', 'Dropoff time', 'day'),
      column('paid', 'Paid', 'yesNo'),
    ],
  },
  {
    name: 'attractions',
    title: 'Attractions',
    call: 'attractions/all/',
    columns: [
      id,
      column('name', 'Name'),
      column('location.placeName', 'Location'),
      column('lat', 'Latitude'),
      column('lng', 'Longitude'),
    ],
  },
  {
    name: 'invites',
    title: 'Invites',
    call: 'driver-invites/',
    columns: [
      id,
      column('driver.user.fullname', 'Driver'),
      column('customer.user.fullname', 'Customer'),
      column('created_at', 'Date joined', 'day'),
    ],
  },
  {
    name: 'blogs',
    title: 'Blogs',
    call: 'blogs-adm/',
    columns: [id, column('title', 'Title'), column('sub_title', 'Sub title')],
  },
  {
    name: 'coupons',
    title: 'Coupons',
    call: 'coupons/',
    columns: [
      id,
      column('code', 'Code'),
      column('amount', 'Amount', 'money'),
      column('created_at', 'Expiry date', 'day'),
      column('users', 'Users', 'names'),
    ],
  },
  {
    name: 'promos',
    title: 'Promotions',
    call: 'promo-codes/',
    columns: [
      id,
      column('code', 'Code'),
      column('title', 'Title'),
      column('description', 'Description'),
      column('amount', 'Amount', 'money'),
      column('valid_till', 'Expiry date', 'day'),
      column('user.user.fullname', 'User'),
      column('redemeed', 'Redeemed', 'yesNo'),
    ],
  },
  {
    name: 'sos',
    title: 'SOS logs',
    call: 'sos-lists/',
    columns: [
      id,
      column('raised_by', 'Raised by'),
      column('trip.driver.user.fullname', 'Driver'),
      column('trip.customer.user.fullname', 'Customer'),
      column('trip.start_name', 'From location'),
      column('trip.destination_name', 'Destination location'),
      column('latitude', 'SOS latitude'),
      column('longitude', 'SOS longitude'),
      column('created_at', 'SOS date', 'day'),
    ],
  },
]

/** The value of a field; undefined where an object on the way is missing. */
export const valueOf = (row: unknown, key: string): unknown =>
  key
    .split('.')
    .reduce<unknown>((of, name) => new Map<string, unknown>(Object.entries(of ?? {})).get(name), row)

const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'Africa/Nairobi' })

/** The text of a cell; blank for a value that is missing. */
export function textOf(row: unknown, { key, kind }: Column): string {
  const value = valueOf(row, key)
  if (Array.isArray(value)) return value.map((one) => String(valueOf(one, 'user.fullname'))).join(', ')
  if (typeof value === 'boolean') {
    if (kind === 'suspend') return value ? 'Unsuspend' : 'Suspend'
    if (kind === 'presence') return (value ? 'Online' : 'Offline') + (valueOf(row, 'busy') ? ' / Busy' : '')
    return value ? 'Yes' : 'No'
  }
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  if (kind === 'day') return days.format(new Date(value))
  if (kind === 'money') return amounts.format(Number(value))
  return kind === 'phone' ? `+${value}` : String(value)
}
