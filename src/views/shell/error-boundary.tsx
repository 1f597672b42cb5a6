import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Component } from 'react'
import { Link } from 'wouter'
import { pathAtom } from '../../state/location.ts'
import styles from './notice.module.css'

/** S8.13: a rendering error shows its message without a stack trace. Navigating to another path clears it. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary path={useAtomValue(pathAtom)}>{children}</Boundary>
}

interface BoundaryProps {
  path: string
  children: ReactNode
}

interface BoundaryState {
  /** The path of the failure, or the last one. */
  path: string
  failure: string | null
}

/** The path is not its key: with another key, React would mount everything within again. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { path: this.props.path, failure: null }

  static getDerivedStateFromProps({ path }: BoundaryProps, state: BoundaryState) {
    return path === state.path ? null : { path, failure: null }
  }

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
