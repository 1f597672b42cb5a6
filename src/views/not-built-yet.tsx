import type { Screen } from './screen.tsx'
import { ScreenHeader } from './ui/screen-header.tsx'

/** A screen that is declared, so that navigation, palette and chords know it, before its view is there. */
export function notBuiltYet(screen: Pick<Screen, 'path' | 'title' | 'icon' | 'keys'>): Screen {
  return { ...screen, commands: [], View: () => <NotBuiltYet title={screen.title} /> }
}

function NotBuiltYet({ title }: { title: string }) {
  return (
    <>
      <ScreenHeader title={title} />
      <p>This screen is not built yet.</p>
    </>
  )
}
