import { useAtomValue, useSetAtom } from 'jotai'
import { dialogAtom } from '../state/dialog.ts'
import type { Command, Noun } from './command.ts'
import styles from './help.module.css'
import { KeyHint } from './key-hint.tsx'
import { Modal } from './modal.tsx'

const ofRecords: Record<Noun, string> = {
  driver: 'On a driver',
  invoice: 'On an invoice',
  attraction: 'On attractions',
  blog: 'On blogs',
  coupon: 'On coupons',
  promo: 'On promo codes',
}
const headings = new Map(Object.entries({ go: 'Go to', list: 'In a list', ...ofRecords }))

/** Every key there is, from the commands themselves. */
export function Help({ commands }: { commands: readonly Command[] }) {
  const dialog = useAtomValue(dialogAtom)
  const setDialog = useSetAtom(dialogAtom)
  const groups = Map.groupBy(
    commands.filter((command) => command.keys),
    (command) => headings.get(command.id.split('.')[0] ?? '') ?? 'Everywhere',
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
