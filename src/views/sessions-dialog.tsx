import { useSetAtom } from 'jotai'
import { useRef } from 'react'
import type { Session } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { endSessions, sessionsLoad } from '../commands/account.ts'
import { dayAndTime, text } from '../format.ts'
import { closeDialog, dialogAtom } from '../state/dialog.ts'
import styles from './account.module.css'
import { Modal } from './shell/modal.tsx'
import { Pill } from './ui/pill.tsx'
import { Retry } from './ui/retry.tsx'
import { useLoad } from './ui/use-load.ts'
import { useDialog } from './ui/use-dialog.ts'

/** Where the person is signed in, and a button that ends each of these sessions. */
export function SessionsDialog() {
  const dialog = useDialog('sessions')
  const setDialog = useSetAtom(dialogAtom)
  return (
    <Modal open={dialog !== null} close={closeDialog} title="Your sessions" size="small">
      <Sessions changePassword={() => setDialog({ kind: 'password' })} />
    </Modal>
  )
}

function Sessions({ changePassword }: { changePassword: () => void }) {
  const { data, isFailed, isRepeating, retry } = useLoad({ ...sessionsLoad, staleTime: 0 })
  const list = useRef<HTMLUListElement>(null)
  if (!data)
    return isFailed ? <Retry busy={isRepeating} retry={retry} /> : <p role="status">Loading your sessions…</p>
  const end = async (session: string, label: string) => {
    // The button that has the focus vanishes with its session.
    if (await endSessions(session, label)) list.current?.focus()
  }
  return (
    <>
      <ul ref={list} className={styles.sessions} tabIndex={-1} aria-label="Your sessions">
        {data.map((row) => (
          <li key={text(row.id)}>
            <div>
              <strong>{nameOf(row)}</strong>
              <p>
                {[text(row.address), `last used ${dayAndTime(row.used_at)}`].filter(Boolean).join(', ')}
                <br />
                Signed in {dayAndTime(row.created_at)}
              </p>
            </div>
            {row.current === true ? (
              <Pill tone="green">This browser</Pill>
            ) : (
              <button
                type="button"
                aria-label={`Sign out ${nameOf(row)}`}
                onClick={() => void end(text(row.id), `Sign out ${nameOf(row)}`)}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      <footer className={styles.footer}>
        <button type="button" onClick={changePassword}>
          Change your password
        </button>
        {data.length > 1 && (
          <button type="button" onClick={() => void end('others', 'Sign out all other sessions')}>
            Sign out all others
          </button>
        )}
      </footer>
    </>
  )
}

const nameOf = ({ browser }: Row<Session>) => text(browser) || 'Unknown browser'
