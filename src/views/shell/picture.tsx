import { closeDialog } from '../../state/dialog.ts'
import { Modal } from './modal.tsx'
import styles from './picture.module.css'
import { useDialog } from '../ui/use-dialog.ts'

/** One picture, as large as the window allows. */
export function Picture() {
  const dialog = useDialog('picture')
  if (!dialog) return null
  const { title, source } = dialog
  return (
    <Modal open close={closeDialog} title={title}>
      <img className={styles.picture} src={source} alt={title} />
    </Modal>
  )
}
