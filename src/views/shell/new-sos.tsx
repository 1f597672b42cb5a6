import { useEffect, useRef } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { nounOf } from '../../commands/noun.ts'
import { count as formatCount } from '../../format.ts'
import { useTermCounts } from '../table/use-term-counts.ts'
import styles from './shell.module.css'

/** The number of new SOS logs on their entry in the side navigation, where the server counts them. */
export function NewSos() {
  const sos = nounOf('sos')
  const countOf = useTermCounts(sos)
  const count = countOf('new')
  // Between two answers, one log can be handled and another one raised: as many are new then as before.
  const state = count === null ? null : `${count} ${countOf('handled') ?? ''}`
  const known = useRef(state)
  useEffect(() => {
    // The list must not show less than this badge.
    if (known.current !== null && state !== known.current)
      void queryClient.invalidateQueries({ queryKey: [sos.name, 'list'] })
    known.current = state
  }, [state, sos])
  if (!count) return null
  const name = `${formatCount(count)} new ${count === 1 ? sos.singular : sos.plural}`
  return (
    <span role="img" className={styles.alarms} aria-label={name}>
      {count > 99 ? '99+' : count}
    </span>
  )
}
