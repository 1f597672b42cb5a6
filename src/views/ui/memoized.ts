import type { ReactNode } from 'react'
import { memo } from 'react'

/** React's `memo` with a type that keeps generic components generic. */
export const memoized: <P extends object>(component: (props: P) => ReactNode) => (props: P) => ReactNode =
  memo
