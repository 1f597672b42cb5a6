import { getDefaultStore } from 'jotai'
import { HTTPError } from 'ky'
import { post, read } from '../api/client.ts'
import { capabilitiesAtom } from '../api/config.ts'
import type { Session } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { queryClient } from '../api/query-client.ts'
import { dialogAtom } from '../state/dialog.ts'
import { logout } from './app.ts'
import type { Command } from './command.ts'
import type { Load } from './loads.ts'
import { fieldErrorsOf } from './field-errors.ts'
import { messageOf, runTask } from './run.ts'
import { showToast } from './toast.ts'

const store = getDefaultStore()

/** The sessions of the person who is signed in. */
export const sessionsLoad: Load<Row<Session>[]> = {
  queryKey: ['session', 'list'],
  queryFn: async ({ signal }) => {
    const { results } = await read<{ results: unknown }>('sessions/', signal)
    if (!Array.isArray(results)) throw new TypeError('The answer is not a list.')
    return results.filter((row): row is Row<Session> => isRow<Session>(row))
  },
}

/** Ends the session with this id, or all `others`. Resolves to whether it succeeded. */
export async function endSessions(session: string, label: string): Promise<boolean> {
  const isDone = await runTask('session.end', {
    label,
    perform: () => post('sessions/end/', { session }).then(() => ''),
    // They may have ended: the reply can be lost.
    failed: `The server did not confirm: ${label}`,
  })
  await queryClient.invalidateQueries({ queryKey: sessionsLoad.queryKey })
  return isDone
}

/** Resolves to the error texts by field (`current`, `password`, or blank for any other failure); null if it succeeded. */
export async function changePassword(
  current: string,
  password: string,
): Promise<Readonly<Record<string, string[]>> | null> {
  let errors: Record<string, string[]> = {}
  const isDone = await runTask('session.password', {
    label: 'Change password',
    perform: async () => {
      try {
        await post('password/', { current, password })
      } catch (error) {
        errors = fieldErrorsOf(error)
        if (Object.keys(errors).length === 0) errors = { '': [faultOf(error)] }
        throw error
      }
      return ''
    },
  })
  if (!isDone) return errors
  showToast('Password changed. Your other sessions have ended.')
  return null
}

/** After a lost reply or a 5xx the password may have been changed: sending the form again would count as a wrong password. */
function faultOf(error: unknown): string {
  if (error instanceof HTTPError && error.response.status < 500)
    return messageOf(error) || 'The password could not be changed. Try again.'
  const cause = error instanceof HTTPError ? 'The server failed' : 'The server did not answer'
  return `${cause}, and the password may have been changed. Sign in with the new password to find out.`
}

const isOffered = () => store.get(capabilitiesAtom).sessions

export const showSessions: Command = {
  id: 'session.list',
  about: 'Your sessions',
  title: () => 'Your sessions',
  synonyms: ['sessions', 'devices', 'where am I signed in'],
  keywords: 'account browsers security sign out',
  when: isOffered,
  run: () => store.set(dialogAtom, { kind: 'sessions' }),
}

export const showPassword: Command = {
  id: 'session.password',
  about: 'Change your password',
  title: () => 'Change your password',
  synonyms: ['change password', 'new password', 'badili nenosiri'],
  keywords: 'account security',
  when: isOffered,
  run: () => store.set(dialogAtom, { kind: 'password' }),
}

export const signOutEverywhere: Command = {
  id: 'session.endAll',
  about: 'Sign out everywhere',
  title: () => 'Sign out everywhere',
  synonyms: ['end all sessions'],
  keywords: 'account browsers devices security',
  isRisky: true,
  when: isOffered,
  asks: () => ({
    text: 'Sign out in all browsers, also in this one?',
    hint: 'Enter signs out, Escape cancels',
    yes: 'Sign out',
  }),
  run: async (context) => {
    if (await endSessions('others', 'Sign out everywhere')) await logout.run(context)
  },
}

/** For servers that announce `sessions`. */
export const accountCommands: readonly Command[] = [showSessions, showPassword, signOutEverywhere]
