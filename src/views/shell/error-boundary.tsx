import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Component } from 'react'
import { Link } from 'wouter'
import { locationAtom } from '../../state/location.ts'
import styles from './notice.module.css'

/** S8.13: a rendering error shows its message without a stack trace. Navigating to another path clears it. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  const { path } = useAtomValue(locationAtom)
  return <Boundary key={path}>{children}</Boundary>
}

class Boundary extends Component<{ children: ReactNode }, { failure: string | null }> {
  override state: { failure: string | null } = { failure: null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: describe(error) }
  }

  override render() {
    const { failure } = this.state
    return failure === null ? this.props.children : <Failure message={failure} />
  }
}

function Failure({ message }: { message: string }) {
  return (
    <div className={styles.notice} role="alert">
      <h1>Unexpected Application Error!</h1>
      <p>{message}</p>
      <div className={styles.ways}>
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>
        <Link href="/" className="button">
          Go home
        </Link>
      </div>
    </div>
  )
}

/** The error's status if it has one, else its message. */
function describe(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'status' in error) return String(error.status)
  return error instanceof Error ? error.message : String(error)
}
