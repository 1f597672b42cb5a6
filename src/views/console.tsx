import { QueryClientProvider } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import type { ReactNode } from 'react'
import { queryClient, retryOnFocus } from '../api/query-client.ts'
import { forgetWithSession } from '../commands/app.ts'
import { loadUndo } from '../commands/undo.ts'
import { loadDrafts } from '../state/drafts.ts'
import { locationAtom } from '../state/location.ts'
import { App } from './app.tsx'
import { prefetchAddress } from './screens.ts'

const drafts = loadDrafts()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Prepares the console for the person who is signed in, and loads what its screen shows first. To be called once. Resolves to what is to be rendered. */
export default async function openConsole(): Promise<ReactNode> {
  const { path, search } = getDefaultStore().get(locationAtom)
  // Rows that come at once are rendered with the screen, which takes half the time of adding them to it. With a
  // query they can come later: for another size, order or filter, the server is first asked whether it has such.
  await Promise.all([drafts, Promise.race([prefetchAddress(path, search), pause(search ? 250 : 25)])])
  loadUndo()
  forgetWithSession()
  retryOnFocus()
  return (
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  )
}
