import { useAtomValue, useSetAtom } from 'jotai'
import { Dialog } from 'radix-ui'
import { dialogAtom, returnFocus } from '../state/dialog.ts'
import type { Command } from './command.ts'
import styles from './help.module.css'
import { KeyHint } from './key-hint.tsx'

const headings: Record<string, string> = {
  go: 'Go to',
  list: 'In a list',
  driver: 'On a driver',
}

/** Every key there is, from the commands themselves. */
export function Help({ commands }: { commands: readonly Command[] }) {
  const dialog = useAtomValue(dialogAtom)
  const setDialog = useSetAtom(dialogAtom)
  const groups = Map.groupBy(
    commands.filter((command) => command.keys),
    (command) => headings[command.id.split('.')[0] ?? ''] ?? 'Everywhere',
  )
  return (
    <Dialog.Root open={dialog?.kind === 'help'} onOpenChange={(open) => !open && setDialog(null)}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={styles.content}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <header>
            <Dialog.Title>Keyboard shortcuts</Dialog.Title>
            <Dialog.Close>Close</Dialog.Close>
          </header>
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
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
