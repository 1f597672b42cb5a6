import { useAtomValue } from 'jotai'
import { pathAtom } from '../state/location.ts'
import { Login } from './login.tsx'
import styles from './shell/notice.module.css'
import { Guard } from './shell/guard.tsx'

/** What somebody sees who is not signed in, before the code of the console has come. */
export function Start() {
  const path = useAtomValue(pathAtom)
  return (
    <>
      {path !== '/login' && <Guard>{null}</Guard>}
      <Login />
    </>
  )
}

/** In place of the console, if its code cannot be loaded. Browsers do not ask for it again before the page is loaded again (decision 20). */
export function NotLoaded() {
  return (
    <main>
      <div className={styles.notice} role="alert">
        <h1>The console could not be loaded.</h1>
        <div className={styles.ways}>
          <button type="button" onClick={() => window.location.reload()}>
            Reload
          </button>
        </div>
      </div>
    </main>
  )
}
