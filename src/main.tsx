import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { getDefaultStore } from 'jotai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import 'sonner/dist/styles.css'
import './views/tokens.css'
import './views/base.css'
import { loadConfig } from './api/config.ts'
import { queryClient, retryOnFocus } from './api/query-client.ts'
import { forgetWithSession } from './commands/app.ts'
import { loadUndo } from './commands/undo.ts'
import { loadDrafts } from './state/drafts.ts'
import { locationAtom } from './state/location.ts'
import { joinSession, sessionAtom } from './state/session.ts'
import { applySettings } from './state/settings.ts'
import { App } from './views/app.tsx'
import { prefetchAddress } from './views/screens.ts'

const store = getDefaultStore()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

// Radix locks scrolling with a style element. The content security policy allows it only with this nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '')
applySettings()
const drafts = loadDrafts()
await Promise.all([loadConfig(), joinSession()])
const { path, search } = store.get(locationAtom)
// Rows that come at once are rendered with the screen, which takes half the time of adding them to it.
const rows = store.get(sessionAtom) ? prefetchAddress(path, search) : null
// Those of another size, order or filter come later: the server is first asked whether it has such.
await Promise.all([drafts, Promise.race([rows, pause(search ? 60 : 25)])])
loadUndo()
forgetWithSession()
retryOnFocus()

const root = document.getElementById('root')
if (!root) throw new Error('There is no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
