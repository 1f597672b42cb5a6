import { useAtom } from 'jotai'
import { useEffect } from 'react'
import { isModifier } from '../../commands/keys.ts'
import { statusAtom } from '../../commands/status.ts'
import styles from './status-line.module.css'

/** In milliseconds. */
const lifetime = 6000

/** One line below the content, which says what a key did or why it did nothing. The next key clears it. */
export function StatusLine() {
  const [status, setStatus] = useAtom(statusAtom)
  useEffect(() => {
    if (!status) return
    const clear = () => setStatus(null)
    const onKey = (event: KeyboardEvent) => !isModifier(event) && clear()
    const timer = setTimeout(clear, lifetime)
    // Before the listeners of the keys, as the key can have something to say itself.
    document.addEventListener('keydown', onKey, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [status, setStatus])
  return (
    <div className={styles.line}>
      <span role="status" aria-label="Status">
        {status?.text}
      </span>
      {status?.action && (
        <button
          type="button"
          data-command={status.action.command}
          onClick={() => {
            setStatus(null)
            status.action?.run()
          }}
        >
          {status.action.label}
        </button>
      )}
    </div>
  )
}
