import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { batchesAtom } from '../../commands/batch.ts'
import { listHandleAtom } from '../../commands/list.ts'
import { Batches } from '../ui/batches.tsx'
import styles from './batches-elsewhere.module.css'

/** The progress of batches on a screen without a list, whose pager would show it. On all screens, the browser asks before the page is left meanwhile. */
export function BatchesElsewhere() {
  const isListed = useAtomValue(listHandleAtom) !== null
  const isRunning = useAtomValue(batchesAtom).length > 0
  useEffect(() => {
    if (!isRunning) return
    // Without the page, the other records would be left out, and nothing would say so.
    window.onbeforeunload = (event) => event.preventDefault()
    return () => {
      window.onbeforeunload = null
    }
  }, [isRunning])
  return (
    !isListed &&
    isRunning && (
      <div className={styles.batches}>
        <Batches />
      </div>
    )
  )
}
