import { text } from '../../src/format.ts'
import type {
  Attraction,
  Blog,
  Coupon,
  Customer,
  Driver,
  Invoice,
  PromoCode,
  SosLog,
  Vehicle,
} from '../../src/api/contract.ts'

/** All records of the demo that queries are about, newest first as the lists answer them. */
interface Records {
  drivers: readonly Driver[]
  customers: readonly Customer[]
  vehicles: readonly Vehicle[]
  invoices: readonly Invoice[]
  attractions: readonly Attraction[]
  blogs: readonly Blog[]
  coupons: readonly Coupon[]
  promos: readonly PromoCode[]
  sos: readonly SosLog[]
}

/** What a person types, and the title that the first row must have; or, with `never`, the title that it must not have. */
export interface Query {
  typed: string
  first?: string | RegExp
  never?: RegExp
  /** The screen that is open; the dashboard if absent. */
  on?: string
  /** Whether the first row of the list has the focus. */
  isRowFocused?: boolean
}

const wordsOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

/** Queries of a working day by kind, about records that are chosen by rules, so that exactly one record is right. */
export function queriesOver(records: Records): Record<string, Query[]> {
  const { drivers, customers, vehicles, invoices, attractions, blogs, coupons, promos, sos } = records
  const people = [...drivers, ...customers]
  const names = people.map(({ user }) => wordsOf(user.fullname))
  const isOnly = (typed: string) =>
    names.filter((name) => wordsOf(typed).every((word) => name.some((one) => one.startsWith(word))))
      .length === 1
  const plain = /^[A-Z][a-z]+ [A-Z][a-z]{4,} [A-Z][a-z]{5,}$/
  const ends = (name: string) => `${name.split(' ')[0]} ${name.split(' ').at(-1)}`
  const clear = drivers.filter(
    ({ user, deleted }) => !deleted && plain.test(user.fullname) && isOnly(ends(user.fullname)),
  )
  const take = <T>(from: readonly T[], index: number): T => {
    const one = from[index]
    if (one === undefined) throw new Error('The demo has too few records for this query.')
    return one
  }
  let used = 0
  /** Another driver that is not suspended, with a name of three words whose first and last word only this person has. */
  const next = () => take(clear, used++).user
  const suspended = drivers.filter(({ deleted, user }) => deleted && isOnly(user.fullname))
  const clients = customers.filter(({ user }) => plain.test(user.fullname) && isOnly(ends(user.fullname)))
  const byInitials = clear.filter(({ user }) => {
    const typed = initials(user.fullname)
    return (
      names.filter((name) => initials(name.join(' ')) === typed).length === 1 &&
      !names.some((name) => name.some((word) => word.startsWith(typed)))
    )
  })
  const unpaid = invoices.filter(({ paid, id }) => !paid && id > 1200)
  const local = (phone: string) => `0${phone.slice(3)}`
  const grouped = (phone: string) => local(phone).replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3')
  /** A driver's first name and last name, with a typing error in the last. */
  const mistyped = (index: number, spoil: (word: string) => string) => {
    const { fullname } = take(clear, index).user
    const [first = '', last = ''] = ends(fullname).split(' ')
    return typing(`${first} ${spoil(last)}`, fullname)
  }
  const plates = vehicles.filter(
    ({ registration }) =>
      /^K[A-Z]{2} \d{3}[A-Z]$/.test(registration) &&
      vehicles.filter((other) => other.registration.endsWith(registration.slice(4))).length === 1,
  )
  const plate = (index: number) => take(plates, index).registration
  const withApostrophe = people.find(
    ({ user }) => user.fullname.includes("'") && isOnly(user.fullname.replaceAll("'", '')),
  )?.user.fullname
  const withHyphen = people.find(({ user }) => user.fullname.includes('-') && isOnly(user.fullname))?.user
    .fullname
  const invoice = (index: number) => text(take(unpaid, index).id)
  const coupon = (index: number) => take(coupons, index).code
  const promo = (index: number) => take(promos, index).code
  const sight = (index: number) => take(attractions, index).name
  const blog = (index: number) => take(blogs, index).title
  const lastSos = take(sos, 0)
  const screens = /^(Dashboard|Drivers|Customers|Staff|Vehicles|Invoices|Trips|Bookings|Attractions)$/

  const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, next)
  const [i, j, k, l, m, n, o, p] = Array.from({ length: 8 }, next)
  const [q, r, s, t, u, v, w, x] = Array.from({ length: 8 }, next)
  if (!a || !b || !c || !d || !e || !f || !g || !h) throw new Error('The demo has too few drivers.')
  if (!i || !j || !k || !l || !m || !n || !o || !p) throw new Error('The demo has too few drivers.')
  if (!q || !r || !s || !t || !u || !v || !w || !x) throw new Error('The demo has too few drivers.')
  const frozen = (index: number) => take(suspended, index).user.fullname
  const client = (index: number) => take(clients, index).user
  const typing = (typed: string, first: string | RegExp, more: Partial<Query> = {}): Query => ({
    typed,
    first,
    ...more,
  })

  return {
    phones: [
      typing(local(a.phone_number), a.fullname),
      typing(grouped(b.phone_number), b.fullname),
      typing(`+${c.phone_number}`, c.fullname),
      typing(d.phone_number, d.fullname),
      typing(`00${e.phone_number}`, e.fullname),
      typing(`tel:+${f.phone_number}`, f.fullname),
      typing(local(g.phone_number).replace(/^(\d{4})(\d{3})/, '$1-$2-'), g.fullname),
      typing(local(h.phone_number).replace(/^(\d{4})/, '($1) '), h.fullname),
      typing(i.phone_number.slice(3), i.fullname),
      typing(` ${local(j.phone_number)} `, j.fullname),
      typing(local(client(0).phone_number), client(0).fullname),
      typing(
        `+254 ${client(1).phone_number.slice(3, 6)} ${client(1).phone_number.slice(6)}`,
        client(1).fullname,
      ),
      typing(`@${local(k.phone_number)}`, k.fullname),
      typing(`driver ${local(l.phone_number)}`, l.fullname),
    ],
    names: [
      typing(a.fullname, a.fullname),
      typing(ends(b.fullname), b.fullname),
      typing(ends(c.fullname).toLowerCase(), c.fullname),
      typing(ends(d.fullname).split(' ').toReversed().join(' '), d.fullname),
      typing(e.fullname.toUpperCase(), e.fullname),
      typing(f.fullname.replaceAll(' ', '  '), f.fullname),
      typing(`${g.fullname} `, g.fullname),
      typing(ends(take(clear, 40).user.fullname).slice(0, -2), take(clear, 40).user.fullname),
      typing(
        ends(take(clear, 41).user.fullname)
          .replace(/(?<=^\w{3})\w+/, '')
          .toLowerCase(),
        new RegExp(
          `^${take(clear, 41).user.fullname.slice(0, 3)}.* ${lastOf(take(clear, 41).user.fullname)}`,
        ),
      ),
      typing(text(withApostrophe).replaceAll("'", ''), text(withApostrophe)),
      typing(text(withApostrophe).replaceAll("'", '’').toLowerCase(), text(withApostrophe)),
      typing(text(withApostrophe), text(withApostrophe)),
      typing(text(withHyphen).replaceAll('-', ' ').toLowerCase(), text(withHyphen)),
      typing(text(withHyphen), text(withHyphen)),
      typing(initials(take(byInitials, 0).user.fullname), take(byInitials, 0).user.fullname),
      mistyped(42, swapped),
      mistyped(43, without),
      mistyped(44, doubled),
      mistyped(45, replaced),
      typing(h.fullname.split(' ').toReversed().join(' '), h.fullname),
      typing(`@${ends(i.fullname)}`, i.fullname),
      typing(`driver ${ends(j.fullname)}`, j.fullname),
      typing(`${ends(k.fullname)} driver`, k.fullname),
      typing(frozen(0), frozen(0)),
      typing(client(2).fullname, client(2).fullname),
      typing(ends(client(3).fullname).toLowerCase(), client(3).fullname),
      typing(`customer ${ends(client(4).fullname)}`, client(4).fullname),
      typing(`client ${client(5).fullname}`, client(5).fullname),
      typing(`mteja ${client(6).fullname}`, client(6).fullname),
      typing(`dereva ${ends(l.fullname)}`, l.fullname),
    ],
    actions: [
      typing(`suspend ${ends(a.fullname)}`, `Suspend ${a.fullname}`),
      typing(`${ends(b.fullname)} suspend`, `Suspend ${b.fullname}`),
      typing(`block ${ends(c.fullname)}`, `Suspend ${c.fullname}`),
      typing(`freeze ${d.fullname}`, `Suspend ${d.fullname}`),
      typing(`ban ${ends(e.fullname)}`, `Suspend ${e.fullname}`),
      typing(`susp ${ends(f.fullname)}`, `Suspend ${f.fullname}`),
      typing(`suspned ${ends(g.fullname)}`, `Suspend ${g.fullname}`),
      typing(`${grouped(h.phone_number)} sus`, `Suspend ${h.fullname}`),
      typing(`suspend ${local(i.phone_number)}`, `Suspend ${i.fullname}`),
      typing(`suspend driver ${ends(j.fullname)}`, `Suspend ${j.fullname}`),
      typing(`suspend ${lastOf(a.fullname)}`, new RegExp(`^Suspend .*\\b${lastOf(a.fullname)}`)),
      typing(`suspend #${text(take(clear, 30).id)}`, `Suspend ${take(clear, 30).user.fullname}`),
      typing(`suspend driver ${text(take(clear, 31).id)}`, `Suspend ${take(clear, 31).user.fullname}`),
      typing(`SUSPEND ${ends(k.fullname).toUpperCase()}`, `Suspend ${k.fullname}`),
      typing(`please suspend ${ends(l.fullname)}`, `Suspend ${l.fullname}`),
      typing(`simamisha ${ends(m.fullname)}`, `Suspend ${m.fullname}`),
      typing(`unsuspend ${frozen(1)}`, `Unsuspend ${frozen(1)}`),
      typing(`${frozen(2)} unsuspend`, `Unsuspend ${frozen(2)}`),
      typing(`unfreeze ${frozen(3)}`, `Unsuspend ${frozen(3)}`),
      typing(`unblock ${frozen(4)}`, `Unsuspend ${frozen(4)}`),
      typing(`restore ${frozen(5)}`, `Unsuspend ${frozen(5)}`),
      typing(`suspend ${frozen(6)}`, `Suspend ${frozen(6)}`),
      typing(`unsuspend ${ends(n.fullname)}`, `Unsuspend ${n.fullname}`),
      typing(`open ${ends(o.fullname)}`, `Open ${o.fullname}`),
      typing(`copy phone ${ends(p.fullname)}`, `Copy phone number of ${p.fullname}`),
      typing(`${ends(q.fullname)} copy phone`, `Copy phone number of ${q.fullname}`),
    ],
    invoices: [
      typing(`clear ${invoice(0)}`, `Clear invoice ${invoice(0)}`),
      typing(`clear invoice ${invoice(1)}`, `Clear invoice ${invoice(1)}`),
      typing(`mark invoice ${invoice(2)} paid`, `Clear invoice ${invoice(2)}`),
      typing(`mark ${invoice(3)} as paid`, `Clear invoice ${invoice(3)}`),
      typing(`invoice ${invoice(4)} paid`, `Clear invoice ${invoice(4)}`),
      typing(`${invoice(5)} clear`, `Clear invoice ${invoice(5)}`),
      typing(`settle invoice ${invoice(6)}`, `Clear invoice ${invoice(6)}`),
      typing(`pay invoice #${invoice(7)}`, `Clear invoice ${invoice(7)}`),
      typing(`lipa ankara ${invoice(8)}`, `Clear invoice ${invoice(8)}`),
      typing(`clear inv ${invoice(9)}`, `Clear invoice ${invoice(9)}`),
      typing(`invoice ${invoice(10)}`, `Invoice ${invoice(10)}`),
      typing(`inv ${invoice(11)}`, `Invoice ${invoice(11)}`),
      typing(`invoice #${invoice(12)}`, `Invoice ${invoice(12)}`),
      typing(`${invoice(13)} invoice`, `Invoice ${invoice(13)}`),
      typing(`ankara ${invoice(14)}`, `Invoice ${invoice(14)}`),
      typing('unpaid invoices', 'Unpaid invoices'),
      typing('invoices unpaid', 'Unpaid invoices'),
      typing('overdue', 'Overdue invoices'),
      typing('overdue invoices', 'Overdue invoices'),
      typing('cash in hand', 'Paid invoices'),
      typing('pending reconciliation', 'Unpaid invoices'),
      typing('overd', 'Overdue invoices'),
      typing('trips today', 'Trips today'),
      typing('yesterday trips', 'Trips yesterday'),
      typing('invoices this month', 'Invoices this month'),
      typing('bookings tomorrow', 'Bookings tomorrow'),
      typing('sos za leo', 'SOS logs today'),
      typing('paid invoices', 'Paid invoices'),
      typing(`invoices of ${ends(a.fullname)}`, `Invoices of ${a.fullname}`),
      typing(`invoices ${ends(b.fullname)}`, `Invoices of ${b.fullname}`),
      typing(`${ends(c.fullname)} invoices`, `Invoices of ${c.fullname}`),
      typing(`unpaid invoices of ${ends(d.fullname)}`, `Unpaid invoices of ${d.fullname}`),
    ],
    plates: [
      typing(plate(0), plate(0)),
      typing(plate(1).toLowerCase(), plate(1)),
      typing(plate(2).replace(' ', ''), plate(2)),
      typing(plate(3).toLowerCase().replace(' ', ''), plate(3)),
      typing(plate(4).replace(' ', '-'), plate(4)),
      typing(plate(5).slice(4).toLowerCase(), plate(5)),
      typing(plate(6).slice(4), plate(6)),
      typing(`vehicle ${plate(7)}`, plate(7)),
      typing(`plate ${plate(8)}`, plate(8)),
      typing(`gari ${plate(9)}`, plate(9)),
    ],
    trips: [
      typing('trip 99', 'Trip 99'),
      typing('trip #4321', 'Trip 4321'),
      typing('99 trip', 'Trip 99'),
      typing('#11999', 'Trip 11999'),
      typing('ride 777', 'Trip 777'),
      typing(`trips ${ends(a.fullname)}`, `Trips of ${a.fullname}`),
      typing(`trips of ${ends(b.fullname)}`, `Trips of ${b.fullname}`),
      typing(`${ends(c.fullname)} trips`, `Trips of ${c.fullname}`),
      typing(`trips ${client(7).fullname}`, `Trips of ${client(7).fullname}`),
      typing(`safari ${ends(d.fullname)}`, `Trips of ${d.fullname}`),
      typing('ongoing trips', 'Ongoing trips'),
      typing('completed trips', 'Completed trips'),
      typing('cancelled trips', 'Cancelled trips'),
      typing('last trip', 'Trip 12000'),
      typing('trips naivas', 'Search trips for “naivas”'),
      typing('booking 12', 'Booking 12'),
      typing('booking #599', 'Booking 599'),
      typing('last booking', 'Booking 600'),
      typing('pending bookings', 'Pending bookings'),
      typing(`bookings of ${client(8).fullname}`, `Bookings of ${client(8).fullname}`),
      typing(`bookings ${client(9).fullname}`, `Bookings of ${client(9).fullname}`),
      typing('invite 3', 'Invite 3'),
      typing(`invites of ${ends(e.fullname)}`, `Invites of ${e.fullname}`),
      typing('last sos', `SOS log ${text(lastSos.id)}`),
      typing('latest sos', `SOS log ${text(lastSos.id)}`),
      typing('sos 7', 'SOS log 7'),
    ],
    content: [
      typing(coupon(0), coupon(0)),
      typing(coupon(1).toLowerCase(), coupon(1)),
      typing(`coupon ${coupon(2)}`, coupon(2)),
      typing(`kuponi ${coupon(2)}`, coupon(2)),
      typing(`edit coupon ${coupon(3)}`, `Edit coupon ${coupon(3)}`),
      typing(`edit ${coupon(4)}`, `Edit coupon ${coupon(4)}`),
      typing(`${coupon(5)} edit`, `Edit coupon ${coupon(5)}`),
      typing(`delete coupon ${coupon(6)}`, `Delete coupon ${coupon(6)}`),
      typing(`delete coupon ${coupon(7).slice(0, 4)}`, /^Delete coupon /),
      typing(`futa kuponi ${coupon(8)}`, `Delete coupon ${coupon(8)}`),
      typing(promo(0), promo(0)),
      typing(`promo ${promo(1)}`, promo(1)),
      typing(`promo code ${promo(2)}`, promo(2)),
      typing(`edit promo ${promo(3)}`, `Edit promo code ${promo(3)}`),
      typing(`delete promo code ${promo(4)}`, `Delete promo code ${promo(4)}`),
      typing(sight(0), sight(0)),
      typing(sight(1).toLowerCase(), sight(1)),
      typing(`attraction ${sight(2)}`, sight(2)),
      typing(`edit ${sight(3).toLowerCase()}`, `Edit attraction ${sight(3)}`),
      typing(`edit attraction ${sight(4)}`, `Edit attraction ${sight(4)}`),
      typing(`delete ${sight(5)}`, `Delete attraction ${sight(5)}`),
      typing(`remove attraction ${sight(6)}`, `Delete attraction ${sight(6)}`),
      typing(blog(0), blog(0)),
      typing(`blog ${blog(1).toLowerCase()}`, blog(1)),
      typing(`edit blog ${blog(2)}`, `Edit blog ${blog(2)}`),
      typing(`delete blog ${blog(3)}`, `Delete blog ${blog(3)}`),
      typing('new coupon', 'Create coupon'),
      typing('new voucher', 'Create coupon'),
      typing('ongeza kuponi', 'Create coupon'),
      typing('create coupon', 'Create coupon'),
      typing('add attraction', 'Add attraction'),
      typing('new attraction', 'Add attraction'),
      typing('new blog', 'Create Blog'),
      typing('write blog', 'Create Blog'),
      typing('new promo', 'Create promo code'),
      typing('new promo code', 'Create promo code'),
      typing(`new promo for ${ends(client(10).fullname)}`, `Create promo code for ${client(10).fullname}`),
      typing(`promo for ${client(11).fullname}`, `Create promo code for ${client(11).fullname}`),
    ],
    ids: [
      typing('1200', nameOf(drivers, 1200)),
      typing('#1200', nameOf(drivers, 1200)),
      typing('driver 12', nameOf(drivers, 12)),
      typing('driver #345', nameOf(drivers, 345)),
      typing('customer 2999', nameOf(customers, 2999)),
      typing('customer #7', nameOf(customers, 7)),
      typing('12 driver', nameOf(drivers, 12)),
      typing('coupon 3', coupons.find(({ id }) => id === 3)?.code ?? ''),
    ],
    screens: [
      typing('dashboard', 'Dashboard'),
      typing('home', 'Dashboard'),
      typing('drivers', 'Drivers'),
      typing('driv', 'Drivers'),
      typing('go to drivers', 'Drivers'),
      typing('open drivers', 'Drivers'),
      typing('customers', 'Customers'),
      typing('clients', 'Customers'),
      typing('staff', 'Staff'),
      typing('vehicles', 'Vehicles'),
      typing('cars', 'Vehicles'),
      typing('invoices', 'Invoices'),
      typing('bills', 'Invoices'),
      typing('trips', 'Trips'),
      typing('go trips', 'Trips'),
      typing('bookings', 'Bookings'),
      typing('attractions', 'Attractions'),
      typing('invites', 'Invites'),
      typing('blogs', 'Blogs'),
      typing('coupons', 'Coupons'),
      typing('promotions', 'Promotions'),
      typing('promo codes', 'Promotions'),
      typing('sos', 'SOS logs'),
      typing('emergency', 'SOS logs'),
      typing('dashbord', 'Dashboard'),
      typing('invocies', 'Invoices'),
      typing('/trips', 'Trips'),
      typing('/riders', 'Drivers'),
      typing('go', screens),
      typing('suspended drivers', 'Suspended drivers'),
      typing('online drivers', 'Online drivers'),
      typing('active drivers', 'Active drivers'),
      typing('unpaid', 'Unpaid invoices'),
    ],
    swahili: [
      typing('madereva', 'Drivers'),
      typing('wateja', 'Customers'),
      typing('dharura', 'SOS logs'),
      typing('ankara', 'Invoices'),
      typing('magari', 'Vehicles'),
      typing('safari', 'Trips'),
      typing('wafanyakazi', 'Staff'),
      typing('vivutio', 'Attractions'),
      typing('mialiko', 'Invites'),
      typing('kuponi', 'Coupons'),
      typing('ondoka', 'Logout'),
      typing('fungua madereva', 'Drivers'),
    ],
    console: [
      typing('dark', 'Dark theme'),
      typing('night mode', 'Dark theme'),
      typing('dark theme', 'Dark theme'),
      typing('>dark', 'Dark theme'),
      typing('light mode', 'Light theme'),
      typing('compact', 'Compact rows'),
      typing('logout', 'Logout'),
      typing('log out', 'Logout'),
      typing('sign out', 'Logout'),
      typing('exit', 'Logout'),
      typing('help', 'Keyboard shortcuts'),
      typing('shortcuts', 'Keyboard shortcuts'),
      typing('activity', 'Activity of this session'),
      typing('refresh', 'Reload what is on screen'),
      typing('sidebar', 'Toggle the sidebar'),
      typing('export drivers', 'Export Drivers to Excel'),
      typing('download drivers', 'Export Drivers to Excel'),
      typing('export customers', 'Export Customers to Excel'),
      typing('print', 'Print this list', { on: '/invoices' }),
      typing('100 rows', 'Show 100 rows a page', { on: '/riders' }),
      typing('sort wallet descending', 'Sort by Wallet(Ksh), descending', { on: '/riders' }),
      typing('hide phone', 'Hide the column Phone No', { on: '/riders' }),
      typing('drivers by wallet descending', 'Sort drivers by Wallet(Ksh), descending', { on: '/trips' }),
      typing('madereva wallet most', 'Sort drivers by Wallet(Ksh), descending', { on: '/' }),
      typing('100 trips a page', 'Show 100 trips a page', { on: '/riders' }),
      typing('print invoices', 'Print the invoices', { on: '/' }),
      typing('hide phone of customers', 'Hide the column Phone No of customers', { on: '/' }),
      typing('new external promo code', 'Create promo code of type External'),
    ],
    safety: [
      typing('paid', /^Clear invoice /, { on: '/invoices?filter=unpaid', isRowFocused: true }),
      { typed: 'lear', never: /^Clear/, on: '/invoices?filter=unpaid', isRowFocused: true },
      { typed: 'pend', never: /suspend/i, on: '/riders', isRowFocused: true },
      { typed: 'lete', never: /^Delete/, on: '/coupons', isRowFocused: true },
      { typed: 'out', never: /^Logout/ },
      { typed: 'new', first: /^(Create|Add) / },
      { typed: 'go', never: /^Logout/, on: '/riders', isRowFocused: true },
      { typed: 'gout', never: /^Logout/ },
      { typed: 'print', never: /^Print the/, on: '/' },
      // A mistyped word of its own finds the command, but not first.
      { typed: 'lgout', never: /^Logout/ },
      { typed: `delte coupon ${coupon(9)}`, first: coupon(9) },
      { typed: `claer invoice ${invoice(15)}`, first: `Invoice ${invoice(15)}` },
    ],
  }
}

const lastOf = (name: string) => text(name.split(' ').at(-1))
const initials = (name: string) => wordsOf(name).reduce((letters, word) => letters + word.slice(0, 1), '')
/** The typing errors: two neighbours swapped, one letter missing, one doubled, one replaced; all in the middle. */
const swapped = (word: string) => `${word.slice(0, 2)}${word.slice(3, 4)}${word.slice(2, 3)}${word.slice(4)}`
const without = (word: string) => `${word.slice(0, 3)}${word.slice(4)}`
const doubled = (word: string) => `${word.slice(0, 3)}${word.slice(2)}`
const replaced = (word: string) => `${word.slice(0, 3)}${word[3] === 'q' ? 'x' : 'q'}${word.slice(4)}`

function nameOf(people: readonly { id: number; user: { fullname: string } }[], id: number): string {
  const found = people.find((one) => one.id === id)
  if (!found) throw new Error(`The demo has no person with the id ${id}.`)
  return found.user.fullname
}
