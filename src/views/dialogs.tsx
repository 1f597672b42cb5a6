import { setNonce } from 'get-nonce'
import { getDefaultStore, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { accountCommands } from '../commands/account.ts'
import { takeLink } from '../commands/find/links.ts'
import { lateCommandsAtom } from '../commands/late.ts'
import { matchingCommands } from '../commands/matching.ts'
import { preferenceCommands } from '../commands/preferences.ts'
import { dialogAtom } from '../state/dialog.ts'
import { locationAtom } from '../state/location.ts'
import { DriverMore } from './driver-more.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import { FormDialog } from './forms/form-dialog.tsx'
import type { PaletteProps } from './palette/palette.tsx'
import { Palette } from './palette/palette.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { Peek } from './peek.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'
import { AccountMenu } from './shell/account-menu.tsx'
import { ActivityPanel } from './shell/activity-panel.tsx'
import { BatchesElsewhere } from './shell/batches-elsewhere.tsx'
import { LeaveQuestion } from './shell/leave-question.tsx'
import { Confirm } from './shell/confirm.tsx'
import { Help } from './shell/help.tsx'
import { NewSos } from './shell/new-sos.tsx'
import { Picture } from './shell/picture.tsx'
import { PinnedViews } from './shell/pinned-views.tsx'
import { Tooltips } from './shell/tooltips.tsx'
import { useCreated } from './shell/use-created.ts'
import { useSavedViews } from './shell/use-saved-views.ts'
import { ColumnChoices } from './table/column-choices.tsx'
import { ColumnEdge } from './table/column-edge.tsx'
import { EmptyReason } from './table/empty-reason.tsx'
import { FilterChoices } from './table/filter-choices.tsx'
import { latePartsAtom } from './table/late-parts.ts'
import { NamedChip } from './table/named-chip.tsx'
import { SearchChip } from './table/search-chip.tsx'
import { RowMenu } from './table/row-menu.tsx'
import { SelectionBar } from './table/selection-bar.tsx'
import { ViewTools } from './table/view-tools.tsx'
import { ViewsMenu } from './table/views-menu.tsx'
import { overlaysAtom } from './ui/overlays.ts'

// Radix locks scrolling with a style element. The content security policy allows it only with this nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '')

getDefaultStore().set(overlaysAtom, { AccountMenu, DriverMore, NewSos, PinnedViews })
getDefaultStore().set(lateCommandsAtom, 'account', accountCommands)
getDefaultStore().set(lateCommandsAtom, 'matching', matchingCommands)
getDefaultStore().set(lateCommandsAtom, 'preferences', preferenceCommands)
getDefaultStore().set(latePartsAtom, {
  ColumnChoices,
  ColumnEdge,
  EmptyReason,
  FilterChoices,
  NamedChip,
  Peek,
  SearchChip,
  RowMenu,
  SelectionBar,
  ViewTools,
  ViewsMenu,
})

/** Everything that opens over a screen. It is loaded after the first screen, and mounted before it is needed. */
export default function Dialogs({ commands, icons, prefetch }: PaletteProps) {
  // For measurements and tests: from here on, every dialog opens at once.
  useEffect(() => {
    document.documentElement.dataset['dialogs'] = 'loaded'
  }, [])
  return (
    <>
      <Loads />
      <Links commands={commands} />
      <BatchesElsewhere />
      <LeaveQuestion />
      <Palette commands={commands} icons={icons} prefetch={prefetch} />
      <Help commands={commands} />
      <ActivityPanel />
      <FormDialog />
      <FilterDialog />
      <SessionsDialog />
      <PasswordDialog />
      <Confirm />
      <Picture />
      <Tooltips commands={commands} />
    </>
  )
}

/** Opens the palette for a link to a command. It renders nothing: in `Dialogs`, each change of the address would render all dialogs again. */
function Links({ commands }: Pick<PaletteProps, 'commands'>) {
  const { search } = useAtomValue(locationAtom)
  const openDialog = useSetAtom(dialogAtom)
  const areAll = useAtomValue(lateCommandsAtom).every((late) => commands.includes(late))
  useEffect(() => {
    const typed = takeLink(commands, areAll)
    if (typed !== null) openDialog({ kind: 'palette', typed })
  }, [search, commands, areAll, openDialog])
  return null
}

/** Renders nothing. In `Dialogs`, each answer that these hooks wait for would render all dialogs again. */
function Loads() {
  useSavedViews()
  useCreated()
  return null
}
