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
 * What the server offers beyond the calls of section 7; nothing until it says so. A logout is tried all the same until
 * the server is known to have none: a token should not outlive it.
 */
export const capabilitiesAtom = atom<Capabilities>({
  count: false,
  page_size: false,
  idempotency: false,
  logout: true,
  ordering: {},
})

/** Whether the server was asked what it offers, whatever it said. */
export const capabilitiesAskedAtom = atom(false)

/** Reads `/config.json`; without it the console talks to the host it came from. */
export async function loadConfig(): Promise<void> {
  const response = await fetch('/config.json').catch(() => null)
  const json: unknown = response?.ok ? await response.json().catch(() => null) : null
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

const textsOf = (value: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  )
