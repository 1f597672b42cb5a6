import { useAtomValue } from 'jotai'
import { Bookmark } from 'lucide-react'
import { lateCommandsAtom } from '../../commands/late.ts'
import { runHere } from '../../commands/run-command.ts'
import { currentViewAtom, isNarrowedAtom, savedViewsAtom, saveView } from '../../commands/views.ts'
import styles from './view-tools.module.css'

/** Beside the filters of a list: the name of the view that it shows, or a button that saves it as one. */
export function ViewTools() {
  const isOffered = useAtomValue(savedViewsAtom) !== null
  const current = useAtomValue(currentViewAtom)
  const isNarrowed = useAtomValue(isNarrowedAtom)
  if (!isOffered) return null
  if (!current) return isNarrowed ? <Run command={saveView.id} label="Save view" /> : null
  const { view, isChanged } = current
  return (
    <>
      <span className={styles.name} data-changed={isChanged}>
        <Bookmark size={14} aria-hidden />
        <span className="visually-hidden">View: </span>
        {view.name}
        {isChanged && <span className="visually-hidden">, changed</span>}
      </span>
      {isChanged && <Run command={`view.update${view.id}`} label="Update view" />}
    </>
  )
}

/** A button that runs a command of views by the mouse. */
function Run({ command: id, label }: { command: string; label: string }) {
  const command = useAtomValue(lateCommandsAtom).find((one) => one.id === id)
  if (!command) return null
  return (
    <button type="button" className={styles.button} data-command={id} onClick={() => runHere(command)}>
      {label}
    </button>
  )
}
