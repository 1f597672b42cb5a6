import { useAtomValue } from 'jotai'
import type { HintProps } from '../ui/overlays.ts'
import { overlaysAtom } from '../ui/overlays.ts'

/** A tooltip, once its code has come. */
export function Hint(props: HintProps) {
  const overlays = useAtomValue(overlaysAtom)
  return overlays && <overlays.Tooltip {...props} />
}
