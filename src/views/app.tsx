import { useAtomValue } from 'jotai'
import { Toaster } from 'sonner'
import { Route, Router, Switch } from 'wouter'
import { appCommands, undoLast } from '../commands/app.ts'
import { attractionForm } from '../commands/attractions.ts'
import { blogForm } from '../commands/blogs.ts'
import type { Command } from '../commands/command.ts'
import { couponForm } from '../commands/coupons.ts'
import { Help } from '../commands/help.tsx'
import { Hotkeys } from '../commands/hotkeys.tsx'
import { listCommands } from '../commands/list.ts'
import { Palette } from '../commands/palette.tsx'
import { promoForm } from '../commands/promos.ts'
import { sessionAtom } from '../state/session.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { Login } from './login.tsx'
import { goCommands, recordCommands } from './screen.tsx'
import { screens } from './screens.ts'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { Guard } from './shell/guard.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { FormDialog } from './ui/form-dialog.tsx'
import { useLocationAtom, useSearchAtom } from './shell/use-location.ts'

/** Every command there is, in the order in which the palette offers them. */
export const commands: readonly Command[] = [
  ...recordCommands(screens),
  undoLast,
  ...goCommands(screens),
  ...listCommands,
  ...appCommands,
]

const forms = [attractionForm, blogForm, couponForm, promoForm]

export function App() {
  return (
    <Router hook={useLocationAtom} searchHook={useSearchAtom}>
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
      <Toaster
        position="bottom-center"
        theme="dark"
        visibleToasts={4}
        swipeDirections={['left', 'right', 'bottom']}
        containerAriaLabel="Notifications"
      />
    </Router>
  )
}

function SignedIn() {
  const session = useAtomValue(sessionAtom)
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
      <Hotkeys commands={commands} />
      <Palette commands={commands} />
      <Help commands={commands} />
      <ActivityPanel />
      <FormDialog forms={forms} />
    </>
  )
}
