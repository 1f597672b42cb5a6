/**
 * What the page has asked for before the code of the console has come (docs/decisions/0020). The code of the console imports only
 * types from here, as this is a file of its own.
 */
interface FirstCall {
  /** The content of `/config.json`; undefined if it could not be read. */
  config: Promise<unknown>
  /** The header that was sent with the calls. */
  authorization?: string
  /** By their URLs, the answers to the calls that were sent for the screen that the address names. */
  sent: Map<string, Promise<Response>>
}

declare global {
  interface Window {
    firstCall?: FirstCall
  }
}

/**
 * By the address of a screen, the call that it begins with, below `/api/v1/oms/`; the address can have other values for its
 * parameters. A screen that is missing here sends it later.
 */
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

/** What an address can ask for that the specification does not have (`isPlain` in state/list.ts). */
const beyond = ['size', 'ordering', 'filter']

/**
 * Reads the settings and, with a session in this tab, sends the first call of the screen that the address names. If the address
 * has a size, an order or a filter, it first asks for the capabilities of the server, as the console does.
 */
export function sendFirstCall(): void {
  const config = fetch('/config.json')
    .then((response): unknown => (response.ok ? response.json() : undefined))
    .catch(() => undefined)
  const call: FirstCall = { config, sent: new Map() }
  window.firstCall = call
  const { pathname, search, href } = window.location
  const path = firstCalls[pathname]
  const token = stored('oms.session', 'token')
  if (path === undefined || !token || !stored('oms.staff', 'email')) return
  void config.then((settings) => {
    const authorization = `${textIn(settings, 'authScheme') || 'Bearer'} ${token}`
    call.authorization = authorization
    const urlOf = (path: string) => new URL(`${textIn(settings, 'apiHost')}/api/v1/oms/${path}`, href)
    const send = (url: URL, read?: (answer: Response) => Promise<void>) => {
      const answer = fetch(url, { headers: { accept: 'application/json', authorization } })
      const response = read ? answer.then(async (one) => (await read(one.clone()), one)) : answer
      // If nobody takes it, nobody waits for it.
      response.catch(() => undefined)
      call.sent.set(url.href, response)
    }

    const list = urlOf(path)
    const { searchParams } = list
    const asked = new URLSearchParams(search)
    for (const [name, value] of searchParams) searchParams.set(name, asked.get(name) ?? value)
    if (!beyond.some((name) => asked.has(name))) {
      send(list)
      return
    }
    send(urlOf('capabilities/'), async (answer) => {
      const offered: unknown = await answer.json().catch(() => null)
      if (fieldOf(offered, 'page_size')) searchParams.set('page_size', asked.get('size') ?? '50')
      for (const name of ['ordering', 'filter']) {
        const value = asked.get(name)
        if (value) searchParams.set(name, value)
      }
      send(list)
    })
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
  const found = fieldOf(value, field)
  return typeof found === 'string' ? found : ''
}

const fieldOf = (value: unknown, field: string): unknown => Reflect.get(Object(value), field)
