import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { batchesAtom } from '../../commands/batch.ts'

/**
 * While a batch is under way, the browser asks before the page is left: the records that it has not come to would be left out, and nothing
 * would say so. It renders nothing.
 */
export function LeaveQuestion() {
  const isRunning = useAtomValue(batchesAtom).length > 0
  useEffect(() => {
    if (!isRunning) return
    window.onbeforeunload = (event) => event.preventDefault()
    return () => {
      window.onbeforeunload = null
    }
  }, [isRunning])
  return null
}
