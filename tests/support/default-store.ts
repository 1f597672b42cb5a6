import { createStore, getDefaultStore } from 'jotai'
import { capabilitiesAskedAtom, capabilitiesAtom, configAtom } from '../../src/api/config.ts'
import { listHandleAtom, pagesAtom } from '../../src/commands/list.ts'
import { forgetRuns } from '../../src/commands/run.ts'
import { lastRunAtom } from '../../src/commands/runs.ts'
import { statusAtom } from '../../src/commands/status.ts'
import { forgetUndo } from '../../src/commands/undo.ts'
import { activityAtom } from '../../src/state/activity.ts'
import { dialogAtom } from '../../src/state/dialog.ts'
import { discardDraft, draftsAtom } from '../../src/state/drafts.ts'
import { askedForAtom, endSession } from '../../src/state/session.ts'
import { settingsAtom } from '../../src/state/settings.ts'
import { sidebarExpandedAtom } from '../../src/state/sidebar.ts'
import { forgetWantedRow } from '../../src/state/wanted-row.ts'
import { pendingKeysAtom } from '../../src/views/shell/hotkeys.tsx'

/**
 * The state of the console as a new page has it. Commands and calls use Jotai's default store, which the files of a
 * worker share; `useApp` resets it after every test. A test of atoms or of one component makes a store of its own.
 */
export function resetDefaultStore(): void {
  const store = getDefaultStore()
  const initial = createStore()
  endSession()
  forgetRuns()
  forgetUndo()
  store.set(activityAtom, null)
  store.set(dialogAtom, null)
  for (const id of store.get(draftsAtom).keys()) discardDraft(id)
  store.set(askedForAtom, null)
  store.set(pendingKeysAtom, '')
  store.set(statusAtom, null)
  store.set(lastRunAtom, null)
  forgetWantedRow()
  store.set(listHandleAtom, null)
  store.set(pagesAtom, null)
  store.set(capabilitiesAskedAtom, false)
  store.set(capabilitiesAtom, initial.get(capabilitiesAtom))
  store.set(configAtom, initial.get(configAtom))
  store.set(settingsAtom, {
    ...{ theme: 'system', density: 'comfortable', singleKeys: true, keys: {}, pinned: {} },
    ...{ hidden: {}, order: {}, widths: {} },
  })
  store.set(sidebarExpandedAtom, true)
}
