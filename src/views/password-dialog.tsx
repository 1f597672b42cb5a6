import { useAtomValue, useStore } from 'jotai'
import type { SubmitEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { changePassword } from '../commands/account.ts'
import { showToast } from '../commands/toast.ts'
import { closeDialog, dialogAtom } from '../state/dialog.ts'
import { sessionAtom } from '../state/session.ts'
import styles from './account.module.css'
import fieldStyles from './forms/form-field.module.css'
import { Modal } from './shell/modal.tsx'
import { useDialog } from './ui/use-dialog.ts'

/** In characters, as the server asks for. */
const shortest = 12

const fields = [
  { name: 'current', label: 'Current password', autoComplete: 'current-password' },
  { name: 'password', label: 'New password', autoComplete: 'new-password' },
  { name: 'again', label: 'New password again', autoComplete: 'new-password' },
] as const

/** Asks for the current and a new password. What is typed is never stored, so there is no draft. */
export function PasswordDialog() {
  const dialog = useDialog('password')
  return (
    <Modal open={dialog !== null} close={closeDialog} title="Change your password" size="small">
      <Fields />
    </Modal>
  )
}

function Fields() {
  const email = useAtomValue(sessionAtom)?.email ?? ''
  const store = useStore()
  const [isSending, setSending] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string[]>>>({})
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  // Not the button that closes the dialog, which comes before.
  useEffect(() => form.current?.querySelector<HTMLElement>('[type=password]')?.focus(), [])
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending) return
    const given = new FormData(form.current ?? undefined)
    const valueOf = (name: string) => {
      const value = given.get(name)
      return typeof value === 'string' ? value : ''
    }
    const [current, password] = [valueOf('current'), valueOf('password')]
    const faults = faultsOf(current, password, valueOf('again'))
    setErrors(faults)
    if (Object.keys(faults).length > 0) return
    setSending(true)
    const shown = store.get(dialogAtom)
    const refused = await changePassword(current, password)
    setSending(false)
    // It may be closed, and another dialog open by now.
    const isShown = store.get(dialogAtom) === shown
    if (refused && isShown) setErrors(refused)
    else if (refused) showToast(Object.values(refused).flat().join(' '))
    else if (isShown) closeDialog()
  }
  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)}>
      {/* Tells password managers whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {fields.map(({ name, label, autoComplete }) => {
        const fault = errors[name]?.join(' ') ?? ''
        return (
          <div key={name} className={fieldStyles.field}>
            <label htmlFor={id + name}>{label}</label>
            <input
              type="password"
              id={id + name}
              {...{ name, autoComplete }}
              maxLength={1024}
              aria-invalid={fault !== ''}
              aria-describedby={fault ? `${id}${name}-fault` : undefined}
            />
            {fault && (
              <p id={`${id}${name}-fault`} className={styles.fault} role="alert">
                {fault}
              </p>
            )}
          </div>
        )
      })}
      <p className={styles.hint}>At least {shortest} characters. All your other sessions end.</p>
      {errors[''] && (
        <p className={styles.fault} role="alert">
          {errors[''].join(' ')}
        </p>
      )}
      <footer className={styles.footer}>
        <button type="submit" data-kind="primary" aria-disabled={isSending}>
          {isSending ? 'Changing...' : 'Change password'}
        </button>
      </footer>
    </form>
  )
}

function faultsOf(current: string, password: string, again: string): Record<string, string[]> {
  if (current === '') return { current: ['Enter your current password.'] }
  if ([...password].length < shortest)
    return { password: [`The password needs at least ${shortest} characters.`] }
  return again === password ? {} : { again: ['The two new passwords differ.'] }
}
