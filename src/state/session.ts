import { atom, getDefaultStore } from 'jotai'
import { navigate } from './location.ts'

interface Session {
  token: string
  email: string
}

/** S9.14, S3.19: two values in session storage, as JSON. */
const tokenKey = 'oms.session'
const staffKey = 'oms.staff'

const storedAtom = atom<Session | null>(null)

/** Who is signed in; null is logged out. */
export const sessionAtom = atom((get) => get(storedAtom))

/** The address that was asked for while logged out; the palette offers it after login. */
export const askedForAtom = atom<string | null>(null)

/** S4.1: reads the stored session. If the token or the e-mail is missing or invalid, both values are removed. */
export function readSession(): Session | null {
  const token = readField(tokenKey, 'token')
  const email = readField(staffKey, 'email')
  if (token && email) return { token, email }
  removeStored()
  return null
}

/** Starts a session in this tab. */
export function startSession(session: Session): void {
  store({ [tokenKey]: { token: session.token }, [staffKey]: { email: session.email } })
  getDefaultStore().set(storedAtom, session)
}

/** Ends the session in this tab and removes both values; the guard then leads to `/login`. */
export function endSession(): void {
  removeStored()
  getDefaultStore().set(storedAtom, null)
}

/** Ends the session in every tab of this browser. */
export function endSessionEverywhere(): void {
  endSession()
  channel?.postMessage({ type: 'ended' })
}

let channel: BroadcastChannel | undefined

/**
 * Reads this tab's session or, because each tab has its own session storage, asks the other tabs for theirs. Resolves
 * after 120 ms at the latest; the guard decides only then.
 */
export async function joinSession(): Promise<void> {
  channel ??= new BroadcastChannel('oms.session')
  const joined = channel
  const own = readSession()
  if (own) startSession(own)
  await new Promise<void>((resolve) => {
    joined.onmessage = (event: MessageEvent<unknown>) => {
      const current = getDefaultStore().get(storedAtom)
      if (isMessage(event.data, 'asked') && current) joined.postMessage({ type: 'told', session: current })
      if (isMessage(event.data, 'ended') && current) endSession()
      if (isMessage(event.data, 'told') && !current && isSession(event.data.session)) {
        startSession(event.data.session)
        resolve()
        returnToAskedFor()
      }
    }
    if (own) {
      resolve()
      return
    }
    joined.postMessage({ type: 'asked' })
    setTimeout(resolve, 120)
  })
}

/** For a session that another tab sends when this one shows the login page already. */
function returnToAskedFor(): void {
  const { get, set } = getDefaultStore()
  const asked = get(askedForAtom)
  if (asked === null) return
  set(askedForAtom, null)
  navigate(asked, { replace: true })
}

function isMessage(value: unknown, type: string): value is { type: string; session?: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === type
}

function isSession(value: unknown): value is Session {
  return (
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    typeof value.token === 'string' &&
    'email' in value &&
    typeof value.email === 'string'
  )
}

function readField(key: string, field: string): string {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    const found: unknown =
      typeof value === 'object' && value !== null
        ? new Map<string, unknown>(Object.entries(value)).get(field)
        : ''
    return typeof found === 'string' ? found : ''
  } catch {
    return '' // Corrupt JSON or blocked storage counts as logged out.
  }
}

function store(values: Record<string, unknown>): void {
  try {
    for (const [key, value] of Object.entries(values)) sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    removeStored() // Full or blocked storage: the session lasts as long as this page.
  }
}

function removeStored(): void {
  try {
    sessionStorage.removeItem(tokenKey)
    sessionStorage.removeItem(staffKey)
  } catch {
    return // Blocked storage: there is nothing to remove.
  }
}
