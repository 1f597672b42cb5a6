import { useAtom } from 'jotai'
import { dialogAtom } from '../../state/dialog.ts'
import { Modal } from './modal.tsx'
import styles from './picture.module.css'

/** One picture, as large as the window allows. */
export function Picture() {
  const [dialog, setDialog] = useAtom(dialogAtom)
  if (dialog?.kind !== 'picture') return null
  const { title, source } = dialog
  return (
    <Modal open close={() => setDialog(null)} title={title}>
      <img className={styles.picture} src={source} alt={title} />
    </Modal>
  )
}
