import { getDefaultStore } from 'jotai'
import { queryClient } from '../api/query-client.ts'
import { logOut } from '../api/session.ts'
import { activityAtom } from '../state/activity.ts'
import { dialogAtom } from '../state/dialog.ts'
import { askedForAtom, endSessionEverywhere, sessionAtom } from '../state/session.ts'
import { toggleSidebarAtom } from '../state/sidebar.ts'
import { cancelBatches } from './batch.ts'
import type { Command } from './command.ts'
import { createdAtom } from './created.ts'
import { forgetUses } from './find/forget.ts'
import { cancelExports } from './exports.ts'
import { forgetRuns, undo } from './run.ts'
import { lastRunAtom, repeatLast } from './runs.ts'
import { say, statusAtom } from './status.ts'
import { forgetUndo, keepNoUndo, lastActionAtom } from './undo.ts'

const store = getDefaultStore()

const toggleDialog = (kind: 'help' | 'activity') =>
  store.set(dialogAtom, store.get(dialogAtom)?.kind === kind ? null : { kind })

/** A command with one fixed title. */
export function plain(command: Omit<Command, 'title'>): Command {
  return { ...command, title: () => command.about }
}

export const openPalette = plain({
  id: 'palette.open',
  about: 'Open the command palette',
  keys: 'mod+k',
  run: () => {
    const dialog = store.get(dialogAtom)
    // The commands of the focused row are widened to everything: if they were closed, the next letters would run as keys.
    const isRowOnly = dialog?.kind === 'palette' && dialog.actionsOnly === true
    store.set(dialogAtom, dialog?.kind === 'palette' && !isRowOnly ? null : { kind: 'palette' })
  },
})

/** S2.b.4 */
export const toggleSidebar = plain({
  id: 'sidebar.toggle',
  about: 'Toggle the sidebar',
  keywords: 'navigation menu collapse expand',
  keys: 'mod+b',
  run: () => store.set(toggleSidebarAtom),
})

/** S2.b.5 */
export const logout = plain({
  id: 'session.logout',
  about: 'Logout',
  verbs: ['logout', 'log out', 'sign out', 'log off', 'leave', 'exit', 'quit', 'ondoka', 'toka'],
  isRisky: true,
  run: () => {
    // Not awaited: logging out must also work when the server cannot be reached.
    void logOut()
    endSessionEverywhere()
  },
})

/**
 * Starts the cleanup of sessions. When a session ends, it clears the cache, cancels exports and batches, closes the dialog,
 * removes the stored undo list and forgets the last action and the last new record. When another person signs in, it also clears activity, undo, busy and fault marks and
 * the address that was asked for. Drafts stay, each for its own staff member.
 */
export function forgetWithSession(): () => void {
  let last = store.get(sessionAtom)
  return store.sub(sessionAtom, () => {
    const session = store.get(sessionAtom)
    const isOther = session && last && last.email !== session.email
    // Also for the next person, as an answer can come after the session has ended.
    if (!session || isOther) {
      store.set(createdAtom, null)
      store.set(statusAtom, null)
    }
    if (!session) {
      cancelExports()
      cancelBatches()
      queryClient.clear()
      keepNoUndo()
      forgetUses()
      store.set(dialogAtom, null)
      store.set(lastRunAtom, null)
      return
    }
    if (isOther) {
      store.set(activityAtom, null)
      store.set(askedForAtom, null)
      forgetRuns()
      forgetUndo()
    }
    last = session
  })
}

/** R7 */
export const undoLast: Command = {
  id: 'undo.last',
  about: 'Undo the last action',
  title: () => {
    const last = store.get(lastActionAtom)
    return last ? `Undo: ${last.label}` : 'Undo'
  },
  synonyms: ['undo', 'revert', 'take back', 'tendua'],
  keys: 'mod+z',
  alsoKeys: 'z',
  why: () => 'nothing was done that can be undone',
  when: () => store.get(lastActionAtom) !== undefined,
  // An action without an answer is undone after it: undoing the one before it would be a surprise.
  run: async () => {
    const last = store.get(lastActionAtom)
    if (last?.state === 'running') say(`Undo waits for: ${last.label}`)
    await last?.ended
    if (last) await undo(last.id)
  },
}

/** Opens the palette with only the commands of the focused or selected rows. */
export const rowCommands = plain({
  id: 'row.commands',
  about: "The focused row's commands",
  keywords: 'actions menu',
  keys: '.',
  when: ({ targets }) => targets.length > 0,
  why: () => 'no row is focused',
  run: () => store.set(dialogAtom, { kind: 'palette', actionsOnly: true }),
})

export const showHelp = plain({
  id: 'help.open',
  about: 'Keyboard shortcuts',
  synonyms: ['help', 'keys', 'shortcuts', 'msaada'],
  keys: '?',
  run: () => toggleDialog('help'),
})

export const showActivity = plain({
  id: 'activity.open',
  about: 'Activity of this session',
  synonyms: ['activity', 'history'],
  keywords: 'log errors did that work',
  keys: 'g y',
  run: () => toggleDialog('activity'),
})

export const reload = plain({
  id: 'view.reload',
  about: 'Reload what is on screen',
  synonyms: ['reload', 'refresh'],
  keywords: 'update',
  keys: 'r',
  run: () => queryClient.invalidateQueries(),
})

/** Offered on every screen, like undo. */
export const appCommands: readonly Command[] = [
  openPalette,
  rowCommands,
  repeatLast,
  reload,
  showHelp,
  showActivity,
  toggleSidebar,
  logout,
]
