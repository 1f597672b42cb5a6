import { getDefaultStore } from 'jotai'
import { post } from './client.ts'
import { capabilitiesAtom } from './config.ts'
import { isRow } from './loose.ts'

/** S7.16: resolves to the token. Throws on any failure. */
export async function logIn(email: string, password: string): Promise<string> {
  const answer = await post('login/', { email, password })
  if (isRow<{ token: string }>(answer) && typeof answer.token === 'string' && answer.token)
    return answer.token
  throw new TypeError('The answer holds no token.')
}

/** Ends the session on the server. Never rejects: a missing call or a lost connection does not prevent a logout. */
export async function logOut(): Promise<void> {
  if (getDefaultStore().get(capabilitiesAtom).logout) await post('logout/').catch(() => null)
}
