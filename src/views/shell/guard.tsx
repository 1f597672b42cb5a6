import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { hrefOf } from '../../state/list.ts'
import { locationAtom, navigate } from '../../state/location.ts'
import { askedForAtom, sessionAtom } from '../../state/session.ts'

/** S2.a.20: without a session `/login` replaces the history entry; the palette later offers the requested address. */
export function Guard({ children }: { children: ReactNode }) {
  const session = useAtomValue(sessionAtom)
  const { path, search } = useAtomValue(locationAtom)
  const setAskedFor = useSetAtom(askedForAtom)
  useEffect(() => {
    if (session) return
    if (path !== '/') setAskedFor(hrefOf(path, search))
    navigate('/login', { replace: true })
  }, [session, path, search, setAskedFor])
  return session ? children : null
}
