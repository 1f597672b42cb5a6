import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { returnFocus } from '../../state/dialog.ts'
import styles from './modal.module.css'

interface ModalProps {
  open: boolean
  close: () => void
  title: string
  icon?: ReactNode
  /** In the middle, or along the right edge. */
  place?: 'centre' | 'side'
  /** As wide as a form. */
  size?: 'small'
  /** Escape does not close it. */
  holdsEscape?: boolean
  /** For the panel of a row, over which dialogs can be opened. Gives the focus back in place of the element that had it. */
  leave?: () => void
  children: ReactNode
}

/** S2.u.3: title, optional icon, close control. A press and release on the backdrop closes it, and so does Escape. */
export function Modal({
  open,
  close,
  title,
  icon,
  place = 'centre',
  size,
  holdsEscape = false,
  leave,
  children,
}: ModalProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} onClick={close} />
        <Dialog.Content
          className={styles.content}
          data-place={place}
          data-panel={leave !== undefined}
          data-size={size}
          aria-describedby={undefined}
          onPointerDownOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => holdsEscape && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (leave) leave()
            else returnFocus(event)
          }}
        >
          <header>
            {icon}
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close>Close</Dialog.Close>
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
