/**
 * What the page has asked for before the code of the console has come (docs/decisions/0020). The code of the console imports only
 * types from here, as this is a file of its own.
 */
interface FirstCall {
  /** The content of `/config.json`; undefined if it could not be read. */
  config: Promise<unknown>
  /** The call that was sent for the screen that the address names. */
  sent?: { url: string; authorization: string; response: Promise<Response> }
}

declare global {
  interface Window {
    firstCall?: FirstCall
  }
}

/** By the address of a screen, the call that it begins with, below `/api/v1/oms/`. A screen that is missing here sends it later. */
export const firstCalls: Readonly<Record<string, string>> = {
  '/': 'analytics/',
  '/riders': 'drivers/?page=1&s=&phone=',
  '/customers': 'customers/?page=1&s=&phone=',
  '/staff': 'staff-users/?page=1&s=&phone=',
  '/vehicles': 'vehicles/?page=1&s=&phone=',
  '/invoices': 'all-invoices/?page=1&s=&phone=',
  '/trips': 'trips/?page=1&s=&phone=',
  '/bookings': 'pre-bookings/?page=1&s=&phone=',
  '/attractions': 'attractions/all/?page=1&s=&name=',
  '/invites': 'driver-invites/?page=1&s=&phone=',
  '/blogs': 'blogs-adm/?page=1&s=&phone=',
  '/coupons': 'coupons/?page=1&s=&phone=',
  '/promos': 'promo-codes/?page=1&s=&phone=',
  '/sos': 'sos-lists/?page=1&s=&phone=',
}

/** Reads the settings and, with a session in this tab, sends the first call of the screen that the address names. */
export function sendFirstCall(): void {
  const config = fetch('/config.json')
    .then((response): unknown => (response.ok ? response.json() : undefined))
    .catch(() => undefined)
  const call: FirstCall = { config }
  window.firstCall = call
  const { pathname, search } = window.location
  const path = firstCalls[pathname]
  const token = stored('oms.session', 'token')
  if (path === undefined || search !== '' || !token || !stored('oms.staff', 'email')) return
  void config.then((settings) => {
    const url = new URL(`${textIn(settings, 'apiHost')}/api/v1/oms/${path}`, window.location.href).href
    const authorization = `${textIn(settings, 'authScheme') || 'Bearer'} ${token}`
    const response = fetch(url, { headers: { accept: 'application/json', authorization } })
    // If nobody takes it, nobody waits for it.
    response.catch(() => undefined)
    call.sent = { url, authorization, response }
  })
}

/** A field of what session storage has (state/session.ts); blank if it cannot be read. */
function stored(key: string, field: string): string {
  try {
    return textIn(JSON.parse(sessionStorage.getItem(key) ?? 'null'), field)
  } catch {
    return ''
  }
}

function textIn(value: unknown, field: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : ''
  return typeof found === 'string' ? found : ''
}
