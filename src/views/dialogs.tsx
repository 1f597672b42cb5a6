import { getDefaultStore } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import type { Command } from '../commands/command.ts'
import { DriverMore } from './driver-more.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import { FormDialog } from './forms/form-dialog.tsx'
import { Palette } from './palette/palette.tsx'
import { Peek } from './peek.tsx'
import { AccountMenu } from './shell/account-menu.tsx'
import { ActivityPanel } from './shell/activity-panel.tsx'
import { BatchesElsewhere } from './shell/batches-elsewhere.tsx'
import { Confirm } from './shell/confirm.tsx'
import { Help } from './shell/help.tsx'
import { Picture } from './shell/picture.tsx'
import { PinnedViews } from './shell/pinned-views.tsx'
import { Tooltip } from './shell/tooltip.tsx'
import { useSavedViews } from './shell/use-saved-views.ts'
import { ColumnChoices } from './table/column-choices.tsx'
import { FilterChoices } from './table/filter-choices.tsx'
import { latePartsAtom } from './table/late-parts.ts'
import { SelectionBar } from './table/selection-bar.tsx'
import { ViewTools } from './table/view-tools.tsx'
import { ViewsMenu } from './table/views-menu.tsx'
import { overlaysAtom } from './ui/overlays.ts'

getDefaultStore().set(overlaysAtom, { Tooltip, AccountMenu, DriverMore, PinnedViews })
getDefaultStore().set(latePartsAtom, {
  ColumnChoices,
  FilterChoices,
  Peek,
  SelectionBar,
  ViewTools,
  ViewsMenu,
})

interface DialogsProps {
  commands: readonly Command[]
  icons: ReadonlyMap<string, LucideIcon>
}

/** Everything that opens over a screen. It is loaded after the first screen, and mounted before it is needed. */
export default function Dialogs({ commands, icons }: DialogsProps) {
  // For measurements and tests: from here on, every dialog opens at once.
  useEffect(() => {
    document.documentElement.dataset['dialogs'] = 'loaded'
  }, [])
  useSavedViews()
  return (
    <>
      <BatchesElsewhere />
      <Palette commands={commands} icons={icons} />
      <Help commands={commands} />
      <ActivityPanel />
      <FormDialog />
      <FilterDialog />
      <Confirm />
      <Picture />
    </>
  )
}
