import { useAtomValue, useSetAtom } from 'jotai'
import { dialogAtom } from '../../state/dialog.ts'
import type { Command } from '../../commands/command.ts'
import type { Noun } from '../../commands/noun.ts'
import { allNouns } from '../../commands/noun.ts'
import styles from './help.module.css'
import { KeyHint } from '../ui/key-hint.tsx'
import { Modal } from './modal.tsx'

/** Plural for a noun with a form, because its keys also create a record. */
const headingOf = ({ form, singular, plural }: Noun) =>
  form ? `On ${plural}` : `On ${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`
const headings = () =>
  new Map([
    ['go', 'Go to'],
    ['list', 'In a list'],
    ...allNouns().map((noun) => [noun.name, headingOf(noun)] as const),
  ])

/** The keys of all commands, read from the commands. */
export function Help({ commands }: { commands: readonly Command[] }) {
  const dialog = useAtomValue(dialogAtom)
  const setDialog = useSetAtom(dialogAtom)
  const names = headings()
  const groups = Map.groupBy(
    commands.filter((command) => command.keys),
    (command) => names.get(command.id.split('.')[0] ?? '') ?? 'Everywhere',
  )
  return (
    <Modal open={dialog?.kind === 'help'} close={() => setDialog(null)} title="Keyboard shortcuts">
      <div className={styles.groups}>
        {[...groups].map(([heading, group]) => (
          <section key={heading} aria-label={heading}>
            <h3>{heading}</h3>
            <dl>
              {group.map((command) => (
                <div key={command.id}>
                  <dt>{command.about}</dt>
                  <dd>{command.keys && <KeyHint keys={command.keys} />}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
