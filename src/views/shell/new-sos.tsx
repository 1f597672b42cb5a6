import { useEffect, useRef } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { nounOf } from '../../commands/noun.ts'
import { count as formatCount } from '../../format.ts'
import { useTermCounts } from '../table/use-term-counts.ts'
import styles from './shell.module.css'

/** The number of new SOS logs on their entry in the side navigation, where the server counts them. */
export function NewSos() {
  const sos = nounOf('sos')
  const count = useTermCounts(sos)('new')
  const known = useRef(count)
  useEffect(() => {
    // The list must not show less than this badge.
    if (known.current !== null && count !== known.current)
      void queryClient.invalidateQueries({ queryKey: [sos.name, 'list'] })
    known.current = count
  }, [count, sos])
  if (!count) return null
  const name = `${formatCount(count)} new ${count === 1 ? sos.singular : sos.plural}`
  return (
    <span role="img" className={styles.alarms} aria-label={name}>
      {count > 99 ? '99+' : count}
    </span>
  )
}
