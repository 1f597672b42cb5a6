import { useQuery } from '@tanstack/react-query'
import { pathTo, read } from '../../api/client.ts'
import { isRow } from '../../api/loose.ts'
import type { Chip } from '../../commands/filters.ts'
import { allNouns, nounOf } from '../../commands/noun.ts'
import type { Ref } from '../../state/ref.ts'
import { FilterChip } from './filter-chips.tsx'
import type { FilterChipProps } from './late-parts.ts'

/** The chip of a filter by a record. */
export function NamedChip(props: FilterChipProps) {
  return <FilterChip {...props} label={useLabel(props.chip, props.row)} />
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

/** A record's name from a row that it filters: in its field of this name, or one level below (`trip.customer`). */
function nameIn(row: object, { noun, id }: Ref): string {
  const fields = (value: unknown) =>
    new Map<string, unknown>(isRow<object>(value) ? Object.entries(value) : [])
  const own = fields(row)
  const found = [own, ...[...own.values()].map(fields)].find((one) => isRow<object>(one.get(noun)))?.get(noun)
  const declared = allNouns().find((one) => one.name === noun)
  return declared && isRow<object>(found) ? declared.nameOf({ ...found, id }) : ''
}
