import { useAtomValue, useStore } from 'jotai'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { hrefOf } from '../../state/list.ts'
import { locationAtom, navigate } from '../../state/location.ts'
import { askedForAtom, sessionAtom } from '../../state/session.ts'

/** S2.a.20: without a session `/login` replaces the history entry; the palette later offers the requested address. */
export function Guard({ children }: { children: ReactNode }) {
  const session = useAtomValue(sessionAtom)
  const { path, search } = useAtomValue(locationAtom)
  const store = useStore()
  useEffect(() => {
    // Not `session`: another tab may have sent its session since this was rendered.
    if (store.get(sessionAtom)) return
    if (path !== '/') store.set(askedForAtom, hrefOf(path, search))
    navigate('/login', { replace: true })
  }, [session, path, search, store])
  return session ? children : null
}
