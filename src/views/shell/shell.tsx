import { getDefaultStore, useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { capabilitiesLoad, loadCapabilities, takeCapabilities } from '../../api/capabilities.ts'
import { dialogAtom } from '../../state/dialog.ts'
import { focusFirstOf, holdsFocus, keepFocus } from '../../state/focus.ts'
import { pathAtom } from '../../state/location.ts'
import { narrowAtom, sidebarExpandedAtom, sidebarOpenAtom } from '../../state/sidebar.ts'
import { useLoad } from '../ui/use-load.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import styles from './shell.module.css'
import type { Entry } from './sidebar.tsx'
import { Sidebar } from './sidebar.tsx'
import { StatusLine } from './status-line.tsx'
import { TopBar } from './top-bar.tsx'
import { useContentScroll } from './use-content-scroll.ts'

/** S2.b.1: side navigation, top bar, scrollable content; the rest stays usable when a screen fails to render. */
export function Shell({
  entries,
  staff,
  children,
}: {
  entries: readonly Entry[]
  staff: string
  children: ReactNode
}) {
  const narrow = useAtomValue(narrowAtom)
  const expanded = useAtomValue(sidebarExpandedAtom)
  const open = useAtomValue(sidebarOpenAtom)
  return (
    <div className={styles.shell} data-expanded={narrow ? open : expanded} data-narrow={narrow}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Sidebar entries={entries} />
      <TopBar staff={staff} />
      <Main>{children}</Main>
      <StatusLine />
    </div>
  )
}

/** The content of the page. It alone is rendered with each screen, and not the parts around it. */
function Main({ children }: { children: ReactNode }) {
  const path = useAtomValue(pathAtom)
  const main = useRef<HTMLElement>(null)
  // Repeated until it succeeds, as every load is (R1).
  const { data: capabilities } = useLoad(capabilitiesLoad)
  useEffect(() => {
    if (capabilities) takeCapabilities(capabilities)
  }, [capabilities])
  useEffect(() => {
    const request = new AbortController()
    void loadCapabilities(request.signal)
    return () => request.abort()
  }, [path])
  // Before the next screen is rendered: one that was left may give the focus back to its row.
  useEffect(() => {
    const store = getDefaultStore()
    return store.sub(pathAtom, () => {
      if (!store.get(dialogAtom) && !holdsFocus(main.current)) focusFirstOf(main.current)
    })
  }, [])
  const noteTop = useContentScroll(main, path)
  // Begins anew with every screen: a focused link that was removed with the last one has no neighbours here.
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), [path])
  return (
    <main ref={main} id="main" tabIndex={-1} className={styles.content} onScroll={noteTop}>
      <ErrorBoundary key={path}>{children}</ErrorBoundary>
    </main>
  )
}
