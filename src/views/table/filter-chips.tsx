import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { pathTo, read } from '../../api/client.ts'
import { capabilitiesAtom } from '../../api/config.ts'
import type { ListQuery } from '../../api/contract.ts'
import type { Chip } from '../../commands/filters.ts'
import { chipsOf, clearFilters, filterId, nameIn, unfilter } from '../../commands/filters.ts'
import type { Noun } from '../../commands/noun.ts'
import { nounOf } from '../../commands/noun.ts'
import { isFocusNowhere } from '../../state/focus.ts'
import { listQueryAtom } from '../../state/list.ts'
import type { Ref } from '../../state/ref.ts'
import styles from './filter-chips.module.css'

interface FilterChipsProps {
  noun: Pick<Noun, 'path' | 'calls' | 'search' | 'filters'>
  /** The rows on screen, with what was asked for them. */
  shown: { results: readonly object[]; asked: ListQuery } | undefined
  /** Takes the focus when the last chip is gone. */
  leave: () => void
}

/** What the list is filtered by, each with a button that takes it away; absent without any. */
export function FilterChips({ noun, shown, leave }: FilterChipsProps) {
  const { filters } = useAtomValue(capabilitiesAtom)
  const query = useAtomValue(listQueryAtom)
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
  if (chips.length === 0) return null
  // Rows that were filtered by the same terms all name their records.
  const row = shown?.asked.filter === query.filter ? shown.results[0] : undefined
  const remove = (chip: Chip, at: number) => {
    left.current = at
    unfilter([chip])
  }
  return (
    <div ref={group} className={styles.chips} role="group" aria-label="Filters">
      {chips.map((chip, at) => (
        <FilterChip
          key={chip.id}
          chip={chip}
          command={filterId(noun.path, chip.kind)}
          row={row}
          remove={() => remove(chip, at)}
        />
      ))}
      <button
        type="button"
        className={styles.clear}
        data-command={clearFilters.id}
        onClick={() => {
          left.current = 0
          unfilter(chips)
        }}
      >
        Clear filters
      </button>
    </div>
  )
}

interface FilterChipProps {
  chip: Chip
  /** The id of the command that takes it away. */
  command: string
  row: object | undefined
  remove: () => void
}

/** A button as a whole, so that it is one tab stop; Backspace and Delete press it too. */
function FilterChip({ chip, command, row, remove }: FilterChipProps) {
  const label = useLabel(chip, row)
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

/** With the name of the record, if its detail can be read or a row on screen holds it. */
function useLabel({ label, ref }: Chip, row: object | undefined): string {
  const one = ref && nounOf(ref.noun).calls.one
  const { data } = useQuery({
    queryKey: [ref?.noun, 'one', ref?.id],
    queryFn: ({ signal }) => read<object>(pathTo(one ?? '', ref?.id ?? ''), signal),
    enabled: one !== undefined,
  })
  if (!ref) return label
  const name = one === undefined ? row && nameIn(row, ref) : data && nounOf(ref.noun).nameOf(data)
  return name && name !== label ? `${kindOf(ref)}: ${name}` : label
}

const kindOf = ({ noun }: Ref) => {
  const { singular } = nounOf(noun)
  return singular.charAt(0).toUpperCase() + singular.slice(1)
}
