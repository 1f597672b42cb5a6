import { atom, useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Dialog } from '../../state/dialog.ts'
import { dialogAtom } from '../../state/dialog.ts'

type Kind = Dialog['kind']

/** The open dialog if it is of this kind, else null. `kind` is read once. Dialogs of other kinds render nothing again. */
export function useDialog<K extends Kind>(kind: K) {
  const [ofKind] = useState(() =>
    atom((get) => {
      const dialog = get(dialogAtom)
      return dialog && isOf(dialog, kind) ? dialog : null
    }),
  )
  return useAtomValue(ofKind)
}

const isOf = <K extends Kind>(dialog: Dialog, kind: K): dialog is Extract<Dialog, { kind: K }> =>
  dialog.kind === kind
