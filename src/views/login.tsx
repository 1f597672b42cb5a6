import { useAtomValue } from 'jotai'
import type { SubmitEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { configAtom } from '../api/config.ts'
import { logIn } from '../api/session.ts'
import { showToast } from '../commands/toast.ts'
import { keepFocus } from '../state/focus.ts'
import { navigate, pathAtom } from '../state/location.ts'
import { sessionAtom, startSession } from '../state/session.ts'
import styles from './login.module.css'

/** S2.s. A signed-in visit is redirected to the home screen. */
export function Login() {
  const session = useAtomValue(sessionAtom)
  const path = useAtomValue(pathAtom)
  useEffect(() => {
    // It stays on screen at other addresses until the code of the console has come.
    if (session && path === '/login') navigate('/', { replace: true })
  }, [session, path])
  const main = useRef<HTMLElement>(null)
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), [])
  return (
    <main ref={main} className={styles.login}>
      <title>Sign in · Twende OMS</title>
      <section className={styles.about}>
        <img src="/favicon.svg" alt="" width={40} height={40} />
        <h1>Twende OMS</h1>
        <p>An operations management system that lets staff manage and monitor the service.</p>
      </section>
      <LoginForm />
    </main>
  )
}

function LoginForm() {
  const { demoLogin } = useAtomValue(configAtom)
  const isSignedIn = useAtomValue(sessionAtom) !== null
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState({ email: '', password: '' })
  const [isAsking, setAsking] = useState(false)
  // The code of the console may still be on its way.
  const sending = isAsking || isSignedIn

  // Poll the fields: browsers fill in saved credentials without an input event that React receives.
  useEffect(() => {
    const timer = setInterval(() => {
      const data = new FormData(form.current ?? undefined)
      const [email, password] = [fieldOf(data, 'email'), fieldOf(data, 'password')]
      setFields((now) => (now.email === email && now.password === password ? now : { email, password }))
    }, 250)
    return () => clearInterval(timer)
  }, [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (sending) return
    setAsking(true)
    try {
      const email = fields.email.trim()
      const token = await logIn(email, fields.password)
      // Drafts and what can be undone are stored under it: they belong to the same person, whatever capitals were typed.
      startSession({ token, email: email.toLowerCase() })
      showToast('Logged in successfully')
    } catch {
      showToast('Login failed!.Please try again.') // S8.4, the same for every failure
    } finally {
      setAsking(false)
    }
  }

  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)}>
      <h2>Sign in</h2>
      <label>
        Email
        <input
          type="email"
          name="email"
          required
          autoFocus
          autoComplete="username"
          value={fields.email}
          onChange={(event) => setFields({ ...fields, email: event.target.value })}
        />
      </label>
      <label>
        Password
        <input
          type="password"
          name="password"
          required
          autoComplete="current-password"
          value={fields.password}
          onChange={(event) => setFields({ ...fields, password: event.target.value })}
        />
      </label>
      <button type="submit" data-kind="primary" disabled={sending || !fields.email || !fields.password}>
        {sending ? 'Sending...' : 'Submit'}
      </button>
      {demoLogin && (
        <p>
          Demo: {demoLogin.email} / {demoLogin.password}
        </p>
      )}
    </form>
  )
}

function fieldOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
