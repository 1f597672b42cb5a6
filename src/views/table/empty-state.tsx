import { useAtomValue } from 'jotai'
import { capabilitiesAtom } from '../../api/config.ts'
import { chipsOf, showAll, showEverything } from '../../commands/filters.ts'
import type { Noun } from '../../commands/noun.ts'
import { listQueryAtom } from '../../state/list.ts'
import styles from './list-view.module.css'

interface EmptyStateProps {
  noun: Pick<Noun, 'plural' | 'calls' | 'search' | 'filters' | 'date'>
  /** The specified text. */
  text: string
  /** Called after the filters are taken away with the button, which is gone then. */
  leave: () => void
}

/** A list without records: why, if it is searched or filtered, and the way to all of them. */
export function EmptyState({ noun, text, leave }: EmptyStateProps) {
  const query = useAtomValue(listQueryAtom)
  const search = noun.search ? query[noun.search.parameter] : ''
  const isFiltered = chipsOf(noun, query, useAtomValue(capabilitiesAtom).filters).length > 0
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {(search || isFiltered) && (
        <>
          <p>
            {search ? `Nothing matches “${search}”` : 'Nothing matches the filters'}
            {search && isFiltered ? ' with these filters' : ''}.
          </p>
          <button
            type="button"
            data-command={showAll.id}
            onClick={() => {
              showEverything()
              leave()
            }}
          >
            Show all {noun.plural}
          </button>
        </>
      )}
    </div>
  )
}
