import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { getDefaultStore } from 'jotai'
import { toast } from 'sonner'
import { afterEach, beforeEach } from 'vitest'
import { capabilitiesAskedAtom, capabilitiesAtom, configAtom } from '../../src/api/config.ts'
import { queryClient } from '../../src/api/query-client.ts'
import { forgetWithSession } from '../../src/commands/app.ts'
import { pendingKeysAtom } from '../../src/views/shell/hotkeys.tsx'
import { lastRunAtom } from '../../src/commands/runs.ts'
import { statusAtom } from '../../src/commands/status.ts'
import { forgetRuns } from '../../src/commands/run.ts'
import { forgetUndo } from '../../src/commands/undo.ts'
import { activityAtom } from '../../src/state/activity.ts'
import { dialogAtom } from '../../src/state/dialog.ts'
import { discardDraft, draftsAtom } from '../../src/state/drafts.ts'
import { navigate } from '../../src/state/location.ts'
import { askedForAtom, endSession, startSession } from '../../src/state/session.ts'
import { settingsAtom } from '../../src/state/settings.ts'
import { sidebarExpandedAtom } from '../../src/state/sidebar.ts'
import { forgetWantedRow } from '../../src/state/wanted-row.ts'
import { App } from '../../src/views/app.tsx'
import { serve } from './network.ts'
import { wireAnalytics, wirePage } from './wire.ts'

const store = getDefaultStore()
forgetWithSession()
const initial = { capabilities: store.get(capabilitiesAtom), config: store.get(configAtom) }

interface Given {
  /** The address that the browser opens. */
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
    </QueryClientProvider>,
  )
  return { user }
}

/** The path and query of the current address. */
export const address = () => window.location.pathname + window.location.search

/** The texts of the toasts on screen, including their buttons. */
export const toasts = () =>
  [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent)

/** Lists whose call answers without rows, unless a test serves it otherwise. */
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
  beforeEach(() => serve({ 'GET analytics/': wireAnalytics(), ...empty }))

  afterEach(() => {
    // Take the focus away first, so that no blur handler runs while React unmounts.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    cleanup()
    toast.dismiss()
    endSession()
    forgetRuns()
    forgetUndo()
    queryClient.clear()
    store.set(activityAtom, null)
    store.set(dialogAtom, null)
    for (const id of store.get(draftsAtom).keys()) discardDraft(id)
    store.set(askedForAtom, null)
    store.set(pendingKeysAtom, '')
    store.set(statusAtom, null)
    store.set(lastRunAtom, null)
    forgetWantedRow()
    store.set(capabilitiesAskedAtom, false)
    store.set(capabilitiesAtom, initial.capabilities)
    store.set(configAtom, initial.config)
    store.set(settingsAtom, {
      theme: 'system',
      density: 'comfortable',
      singleKeys: true,
      hidden: {},
      keys: {},
    })
    store.set(sidebarExpandedAtom, true)
    localStorage.clear()
    sessionStorage.clear()
  })
}
