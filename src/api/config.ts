import { atom, getDefaultStore } from 'jotai'
import type { Capabilities, ConsoleConfig } from './contract.ts'
import { isRow } from './loose.ts'

const base: ConsoleConfig = {
  product: 'twende',
  apiHost: '',
  authScheme: 'Bearer',
  demoLogin: null,
  firebase: null,
  mapsKey: '',
}

/** The installation's settings, read once before the console starts. */
export const configAtom = atom(base)

/**
 * What the server offers beyond the calls of section 7. Until the server has answered, only `logout` is true: the call
 * is tried until the server is known not to have it, so that no token stays valid after a logout.
 */
export const capabilitiesAtom = atom<Capabilities>({
  count: false,
  page_size: false,
  idempotency: false,
  logout: true,
  search: false,
  acknowledge: false,
  views: false,
  trends: false,
  counts: false,
  sessions: false,
  ordering: {},
  filters: {},
})

/** Whether the call for the capabilities has ended, successfully or not. */
export const capabilitiesAskedAtom = atom(false)

/** Reads `/config.json`. Without it the defaults stay: the calls go to the host that served the page. */
export async function loadConfig(): Promise<void> {
  const json = await (window.firstCall?.config ?? readConfig())
  if (!isRow<ConsoleConfig>(json)) return
  const word = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback)
  const email = word(json.demoLogin?.email, '')
  const password = word(json.demoLogin?.password, '')
  getDefaultStore().set(configAtom, {
    product: word(json.product, base.product),
    apiHost: word(json.apiHost, base.apiHost),
    authScheme: word(json.authScheme, base.authScheme),
    demoLogin: email && password ? { email, password } : null,
    firebase: isRow<object>(json.firebase) ? textsOf(json.firebase) : null,
    mapsKey: word(json.mapsKey, base.mapsKey),
  })
}

async function readConfig(): Promise<unknown> {
  const response = await fetch('/config.json').catch(() => null)
  return response?.ok ? response.json().catch(() => null) : null
}

const textsOf = (value: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  )
