import {
  CalendarClock,
  Car,
  Gauge,
  MapPinned,
  Megaphone,
  Newspaper,
  Receipt,
  Route,
  Siren,
  UserRoundCog,
  UserRoundPlus,
  Users,
} from 'lucide-react'
import { loadCapabilities } from '../api/capabilities.ts'
import { prefetch } from '../commands/loads.ts'
import { driver } from './driver.tsx'
import { drivers } from './drivers.tsx'
import { customers } from './customers.tsx'
import { staff } from './staff.tsx'
import { vehicles } from './vehicles.tsx'
import { invoices } from './invoices.tsx'
import { trips } from './trips.tsx'
import { bookings } from './bookings.tsx'
import { invites } from './invites.tsx'
import { sos } from './sos.tsx'
// After the lists: the palette has the lists of a person in the order in which their nouns are loaded.
import { dashboard } from './dashboard.tsx'
import { attraction } from './attraction.tsx'
import { attractions } from './attractions.tsx'
import { blogs } from './blogs.tsx'
import { coupons } from './coupons.tsx'
import { promos } from './promos.tsx'
import type { Screen } from './screen.tsx'

/** All screens. Those with an icon are the entries of the side navigation, in this order (S2.b.2). */
export const screens: readonly Screen[] = [
  {
    ...dashboard,
    icon: Gauge,
    keys: 'g h',
    words: ['home', 'start', 'overview', 'analytics', 'figures', 'mwanzo'],
  },
  { ...drivers, icon: Car, keys: 'g d' },
  driver,
  { ...customers, title: 'Customers', icon: Users, keys: 'g c' },
  { ...staff, title: 'Staff', icon: UserRoundCog, keys: 'g s' },
  // S2.b.2: Drivers and Vehicles share an icon, Blogs and Coupons share an icon.
  { ...vehicles, title: 'Vehicles', icon: Car, keys: 'g v' },
  { ...invoices, title: 'Invoices', icon: Receipt, keys: 'g i' },
  { ...trips, title: 'Trips', icon: Route, keys: 'g t' },
  { ...bookings, title: 'Bookings', icon: CalendarClock, keys: 'g b' },
  { ...attractions, icon: MapPinned, keys: 'g a' },
  attraction,
  { ...invites, title: 'Invites', icon: UserRoundPlus, keys: 'g n' },
  { ...blogs, icon: Newspaper, keys: 'g l' },
  { ...coupons, icon: Newspaper, keys: 'g u' },
  { ...promos, title: 'Promotions', icon: Megaphone, keys: 'g p' },
  { ...sos, title: 'SOS logs', icon: Siren, keys: 'g o' },
]

/** Loads what the screen at an address shows first. Never rejects. */
export async function prefetchAddress(path: string, search: string): Promise<void> {
  for (const screen of screens) {
    const found = new RegExp(`^${screen.path.replace(/:\w+/, '([^/]+)')}/?$`).exec(path)
    if (!found) continue
    // Before the rows come: without it, all of them would be in the document.
    screen.loadCode?.(search)
    const load = () => screen.load(search, found[1] ?? '')
    // A page of another size, an order or a filter.
    if (!load()) await loadCapabilities()
    await prefetch(load())
  }
}
