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
import { dashboard } from './dashboard.tsx'
import { driver } from './driver.tsx'
import { drivers } from './drivers.tsx'
import { notBuiltYet } from './not-built-yet.tsx'
import type { Screen } from './screen.tsx'

/** Every screen; those with an icon make the side navigation, in its order (S2.b.2). */
export const screens: readonly Screen[] = [
  { ...dashboard, icon: Gauge, keys: 'g h' },
  { ...drivers, icon: Car, keys: 'g d' },
  driver,
  notBuiltYet({ path: '/customers', title: 'Customers', icon: Users, keys: 'g c' }),
  notBuiltYet({ path: '/staff', title: 'Staff', icon: UserRoundCog, keys: 'g s' }),
  // S2.b.2: Drivers and Vehicles share an icon, Blogs and Coupons share an icon.
  notBuiltYet({ path: '/vehicles', title: 'Vehicles', icon: Car, keys: 'g v' }),
  notBuiltYet({ path: '/invoices', title: 'Invoices', icon: Receipt, keys: 'g i' }),
  notBuiltYet({ path: '/trips', title: 'Trips', icon: Route, keys: 'g t' }),
  notBuiltYet({ path: '/bookings', title: 'Bookings', icon: CalendarClock, keys: 'g b' }),
  notBuiltYet({ path: '/attractions', title: 'Attractions', icon: MapPinned, keys: 'g a' }),
  notBuiltYet({ path: '/attractions/:attractionID', title: 'Attraction' }),
  notBuiltYet({ path: '/invites', title: 'Invites', icon: UserRoundPlus, keys: 'g n' }),
  notBuiltYet({ path: '/blogs', title: 'Blogs', icon: Newspaper, keys: 'g l' }),
  notBuiltYet({ path: '/coupons', title: 'Coupons', icon: Newspaper, keys: 'g u' }),
  notBuiltYet({ path: '/promos', title: 'Promotions', icon: Megaphone, keys: 'g p' }),
  notBuiltYet({ path: '/sos', title: 'SOS logs', icon: Siren, keys: 'g o' }),
]
