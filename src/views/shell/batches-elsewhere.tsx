import { useAtomValue } from 'jotai'
import { batchesAtom } from '../../commands/batch.ts'
import { listHandleAtom } from '../../commands/list.ts'
import { Batches } from '../ui/batches.tsx'
import styles from './batches-elsewhere.module.css'

/** The progress of batches on a screen without a list, whose pager would show it. */
export function BatchesElsewhere() {
  const isListed = useAtomValue(listHandleAtom) !== null
  const isRunning = useAtomValue(batchesAtom).length > 0
  return (
    !isListed &&
    isRunning && (
      <div className={styles.batches}>
        <Batches />
      </div>
    )
  )
}
