import { AlertDialog } from 'radix-ui'
import { closeDialog, returnFocus } from '../../state/dialog.ts'
import styles from './confirm.module.css'
import { useDialog } from '../ui/use-dialog.ts'

/** The question before what cannot be undone, asked by the keyboard and the palette: Enter confirms, Escape cancels. */
export function Confirm() {
  const asked = useDialog('confirm')
  return (
    <AlertDialog.Root open={asked !== null} onOpenChange={(open) => !open && closeDialog()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay} />
        <AlertDialog.Content
          className={styles.content}
          onCloseAutoFocus={returnFocus}
          // Holding down the key that asked must not answer the question.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          <AlertDialog.Title>{asked?.question.text}</AlertDialog.Title>
          <AlertDialog.Description>{asked?.question.hint}</AlertDialog.Description>
          <div className={styles.answers}>
            <AlertDialog.Cancel>Cancel</AlertDialog.Cancel>
            <AlertDialog.Action autoFocus data-kind="primary" onClick={asked?.confirm}>
              {asked?.question.yes}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
