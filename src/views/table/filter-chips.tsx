import { useAtomValue } from 'jotai'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { capabilitiesAtom } from '../../api/config.ts'
import type { ListQuery } from '../../api/contract.ts'
import type { Chip } from '../../commands/filters.ts'
import { chipsOf, clearFilters, filterId, unfilter } from '../../commands/filters.ts'
import type { Noun } from '../../commands/noun.ts'
import { isFocusNowhere } from '../../state/focus.ts'
import { listQueryAtom } from '../../state/list.ts'
import styles from './filter-chips.module.css'
import type { FilterChipProps, ListSearch } from './late-parts.ts'
import { latePartsAtom } from './late-parts.ts'

interface FilterChipsProps {
  noun: Pick<Noun, 'path' | 'plural' | 'calls' | 'search' | 'filters'>
  /** The rows on screen, with what was asked for them. */
  shown: { results: readonly object[]; asked: ListQuery } | undefined
  /** Takes the focus when the last chip is gone. */
  leave: () => void
  search: ListSearch
}

/** What the list is filtered by, each with a button that takes it away; absent without any. */
export function FilterChips({ noun, shown, leave, search }: FilterChipsProps) {
  const { filters } = useAtomValue(capabilitiesAtom)
  const query = useAtomValue(listQueryAtom)
  const parts = useAtomValue(latePartsAtom)
  const chips = chipsOf(noun, query, filters)
  const group = useRef<HTMLDivElement>(null)
  /** The place of the chip that was taken away here. */
  const left = useRef<number | null>(null)
  useEffect(() => {
    if (left.current === null || !isFocusNowhere()) return
    const next = group.current?.querySelectorAll('button')[Math.min(left.current, chips.length - 1)]
    left.current = null
    if (next) next.focus()
    else leave()
  })
  // Until its code has come, the search of the address is a chip like the others.
  const Search = noun.search ? null : parts?.SearchChip
  const searched = Search && chips.find(({ id }) => id === 's')
  const hasSearch = searched !== undefined || search.isOpen
  if (chips.length === 0 && !(Search && hasSearch)) return null
  // Rows that were filtered by the same terms all name their records.
  const row = shown?.asked.filter === query.filter ? shown.results[0] : undefined
  const remove = (chip: Chip, at: number) => {
    left.current = at
    unfilter([chip])
  }
  const others = chips.filter((chip) => chip !== searched)
  const endSearch = () => {
    search.close()
    if (searched) unfilter([searched])
    search.leave()
  }
  return (
    <div ref={group} className={styles.chips} role="group" aria-label="Filters">
      {Search && hasSearch && <Search noun={noun} search={search} value={query.s} end={endSearch} />}
      {others.map((chip, at) => {
        const Button = (chip.ref && parts?.NamedChip) ?? FilterChip
        return (
          <Button
            key={chip.id}
            chip={chip}
            command={filterId(noun.path, chip.kind)}
            row={row}
            remove={() => remove(chip, searched ? at + 1 : at)}
          />
        )
      })}
      {chips.length > 0 && (
        <button
          type="button"
          className={styles.clear}
          data-command={clearFilters.id}
          onClick={() => {
            left.current = 0
            search.close()
            unfilter(chips)
          }}
        >
          Clear filters
        </button>
      )}
    </div>
  )
}

/** A button as a whole, so that it is one tab stop; Backspace and Delete press it too. */
export function FilterChip({ chip, label = chip.label, command, remove }: FilterChipProps) {
  return (
    <button
      type="button"
      className={styles.chip}
      data-command={command}
      aria-label={`Remove the filter ${label}`}
      onClick={remove}
      onKeyDown={(event) => {
        if (event.key !== 'Backspace' && event.key !== 'Delete') return
        event.preventDefault()
        remove()
      }}
    >
      {label}
      <X size={14} aria-hidden />
    </button>
  )
}
