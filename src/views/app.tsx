import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { Route, Router, Switch } from 'wouter'
import { appCommands, undoLast } from '../commands/app.ts'
import type { Command } from '../commands/command.ts'
import { Hotkeys } from './shell/hotkeys.tsx'
import { batchCommands } from '../commands/batch.ts'
import { filterCommands } from '../commands/filters.ts'
import { lateCommandsAtom } from '../commands/late.ts'
import { allNouns } from '../commands/noun.ts'
import { listCommands } from '../commands/list.ts'
import { peek, peekAtom } from '../commands/peek.ts'
import { sessionAtom } from '../state/session.ts'
import { Login } from './login.tsx'
import { dialogAtom } from '../state/dialog.ts'
import { locationAtom } from '../state/location.ts'
import { goId } from '../commands/go.ts'
import { dialogs } from './deferred-parts.ts'
import { goCommands, recordCommands } from './screen.tsx'
import { prefetchAddress, screens } from './screens.ts'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { Guard } from './shell/guard.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { earlyPressesAtom } from './ui/overlays.ts'
import { useLocationAtom } from './shell/use-location.ts'

/** The commands of the first load, in the order in which the palette lists them. */
export const commands: readonly Command[] = [
  ...recordCommands(screens),
  undoLast,
  ...goCommands(screens),
  ...listCommands,
  peek,
  ...filterCommands,
  ...batchCommands,
  ...appCommands,
]

/** The icon of each screen, by the id of the command that opens it and by the nouns that it lists. */
const icons = new Map(
  screens.flatMap(({ path, icon }) => {
    const names = allNouns().flatMap((noun) => (noun.path === path ? [noun.name] : []))
    return icon ? [goId(path), ...names].map((name) => [name, icon] as const) : []
  }),
)

export function App() {
  return (
    <Router hook={useLocationAtom}>
      <ErrorBoundary>
        <Switch>
          <Route path="/login">
            <Login />
          </Route>
          <Route>
            <Guard>
              <SignedIn />
            </Guard>
          </Route>
        </Switch>
      </ErrorBoundary>
    </Router>
  )
}

function SignedIn() {
  const session = useAtomValue(sessionAtom)
  const late = useAtomValue(lateCommandsAtom)
  const all = useMemo(() => [...commands, ...late], [late])
  return (
    <>
      <Shell entries={screens} staff={session?.email ?? ''}>
        <Switch>
          {screens.map(({ path, View }) => (
            <Route key={path} path={path}>
              <View />
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Shell>
      <Hotkeys commands={all} />
      <DialogLoader />
      <dialogs.Component commands={all} icons={icons} prefetch={prefetchAddress} />
    </>
  )
}

/**
 * Loads the code of the dialogs as soon as one is wanted; a link to a command wants the palette. It renders nothing. If `SignedIn`
 * read these atoms, the whole console would be rendered again with each dialog and each page of a list.
 */
function DialogLoader() {
  const hasLink = useAtomValue(locationAtom).search.includes('cmd=')
  const isOpen = useAtomValue(dialogAtom) !== null
  const isPeeking = useAtomValue(peekAtom) !== ''
  const earlyPresses = useAtomValue(earlyPressesAtom)
  useEffect(() => {
    if (hasLink || isOpen || isPeeking || earlyPresses > 0) dialogs.need()
  }, [hasLink, isOpen, isPeeking, earlyPresses])
  return null
}
