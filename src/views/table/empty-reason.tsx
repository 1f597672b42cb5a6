import { useAtomValue } from 'jotai'
import { capabilitiesAtom } from '../../api/config.ts'
import { chipsOf, showAll, showEverything } from '../../commands/filters.ts'
import { listQueryAtom } from '../../state/list.ts'
import type { EmptyReasonProps } from './late-parts.ts'

/** Why a list is without records, if it is searched or filtered, and the way to all of them. */
export function EmptyReason({ noun, leave }: EmptyReasonProps) {
  const query = useAtomValue(listQueryAtom)
  const search = noun.search ? query[noun.search.parameter] : ''
  const isFiltered = chipsOf(noun, query, useAtomValue(capabilitiesAtom).filters).length > 0
  if (!search && !isFiltered) return null
  return (
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
  )
}
