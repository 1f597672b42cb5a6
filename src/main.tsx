import { getDefaultStore } from 'jotai'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import 'sonner/dist/styles.css'
import './views/tokens.css'
import './views/base.css'
import { loadConfig } from './api/config.ts'
import { whenIdle } from './idle.ts'
import { joinSession, readSession, sessionAtom } from './state/session.ts'
import { applySettings } from './state/settings.ts'
import { toasts } from './views/deferred-parts.ts'
import { NotLoaded, Start } from './views/start.tsx'

const store = getDefaultStore()

applySettings()

let code: Promise<typeof import('./views/console.tsx')> | undefined
/** Loads the code of the console, once. */
const loadConsole = () => (code ??= import('./views/console.tsx'))
const isSignedIn = () => store.get(sessionAtom) !== null

const element = document.getElementById('root')
if (!element) throw new Error('There is no #root.')
const root = createRoot(element)
const show = (page: ReactNode) =>
  root.render(
    <StrictMode>
      {page}
      <toasts.Component />
    </StrictMode>,
  )

async function showConsole(): Promise<void> {
  try {
    const { default: openConsole } = await loadConsole()
    show(await openConsole())
  } catch {
    show(<NotLoaded />)
  }
}

async function start(): Promise<void> {
  if (readSession()) void loadConsole().catch(() => undefined)
  await Promise.all([loadConfig(), joinSession()])
  if (isSignedIn()) {
    await showConsole()
    return
  }
  show(<Start />)
  whenIdle(() => void loadConsole().catch(() => undefined))
  const stop = store.sub(sessionAtom, () => {
    if (!isSignedIn()) return
    stop()
    void showConsole()
  })
}

// Not awaited: the file of the console imports that of this module, and would wait for its end.
void start()
