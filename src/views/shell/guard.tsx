import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { hrefOf } from '../../state/list.ts'
import { locationAtom } from '../../state/location.ts'
import { askedForAtom, sessionAtom } from '../../state/session.ts'

/** S2.a.20: without a session `/login` replaces the history entry; the palette later offers the requested address. */
export function Guard({ children }: { children: ReactNode }) {
  const session = useAtomValue(sessionAtom)
  const [{ path, search }, go] = useAtom(locationAtom)
  const setAskedFor = useSetAtom(askedForAtom)
  useEffect(() => {
    if (session) return
    if (path !== '/') setAskedFor(hrefOf(path, search))
    go({ to: '/login', replace: true })
  }, [session, path, search, go, setAskedFor])
  return session ? children : null
}
