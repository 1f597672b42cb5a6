import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { toast } from 'sonner'
import { afterEach, beforeEach } from 'vitest'
import { queryClient } from '../../src/api/query-client.ts'
import { forgetWithSession } from '../../src/commands/app.ts'
import { navigate } from '../../src/state/location.ts'
import { startSession } from '../../src/state/session.ts'
import { App } from '../../src/views/app.tsx'
import { dialogs, toasts as toastsPart, trends } from '../../src/views/deferred-parts.ts'
import { sosCell } from '../../src/views/sos.tsx'
import { windowing } from '../../src/views/table/data-table.tsx'
import { cards } from '../../src/views/table/list-view.tsx'
import { resetDefaultStore } from './default-store.ts'
import { serve } from './network.ts'
import { wireAnalytics, wirePage } from './wire.ts'

forgetWithSession()
// As in a browser some time after the start.
await Promise.all([dialogs, toastsPart, trends, windowing, cards, sosCell].map((part) => part.load()))

interface Given {
  /** The initial address. */
  path?: string
  /** Who is signed in; null for nobody. */
  staff?: string | null
}

/** Renders the whole console at an address; only the network is stubbed (`serve`). */
export function renderApp({ path = '/', staff = 'asha@twende.test' }: Given = {}) {
  navigate(path)
  if (staff) startSession({ token: 'token-of-this-session', email: staff })
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <App />
      <toastsPart.Component />
    </QueryClientProvider>,
  )
  return { user }
}

/** The path and query of the current address. */
export const address = () => window.location.pathname + window.location.search

/** The texts of the toasts on screen, including their buttons. */
export const toasts = () =>
  [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent)

/** Lists that are served without rows, unless the test serves them itself. */
const lists = [
  'drivers/',
  'customers/',
  'staff-users/',
  'vehicles/',
  'trips/',
  'pre-bookings/',
  'attractions/all/',
  'all-invoices/',
  'driver-invites/',
  'blogs-adm/',
  'coupons/',
  'promo-codes/',
  'sos-lists/',
]
const empty = Object.fromEntries(lists.map((list) => [`GET ${list}`, wirePage([])]))
/** For all tests of a file: each begins and ends without a session and without stored or cached data. */
export function useApp(): void {
  beforeEach(() => {
    // A call that was under way at the end of the test before fails after it, and the next page would show that toast.
    toast.dismiss()
    serve({ 'GET analytics/': wireAnalytics(), ...empty })
  })

  afterEach(() => {
    // Take the focus away first, so that no blur handler runs while React unmounts.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    cleanup()
    toast.dismiss()
    resetDefaultStore()
    queryClient.clear()
    localStorage.clear()
    sessionStorage.clear()
  })
}
