import { useState } from 'react'
import { placeOf, searchPlaces } from '../../api/places.ts'
import type { Place } from '../../api/contract.ts'
import { useSearch } from '../../commands/use-search.ts'
import { coordinate } from '../../format.ts'
import { Combobox } from './combobox.tsx'
import type { Control } from './control.ts'
import styles from './place-input.module.css'

interface PlaceInputProps {
  control: Control
  isLocked: boolean
  value: unknown
  choose: (place: Place) => void
}

/** S2.n.3, S5.2: an establishment in Kenya, required. Text that was typed but not chosen is none: the last choice comes back. */
export function PlaceInput({ control, isLocked, value, choose }: PlaceInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = placeOf(value)
  const search = useSearch(typed?.trim() ?? '', {
    scope: 'places',
    debounce: 200,
    least: 2,
    search: searchPlaces,
  })
  const credits = [...new Set(search.results.map(({ credit }) => credit).filter(Boolean))]
  return (
    <>
      <Combobox
        input={{
          ...control,
          required: true,
          readOnly: isLocked,
          placeholder: 'Search a place in Kenya',
          onBlur: () => setTyped(null),
        }}
        typed={typed ?? chosen?.placeName ?? ''}
        type={setTyped}
        isOpen={typed !== null && search.state !== 'idle'}
        close={() => setTyped(null)}
        search={search}
        idOf={({ placeName, lat, lng }) => `${placeName} ${lat} ${lng}`}
        option={({ placeName, detail }) => (
          <>
            <span>{placeName}</span>
            <small>{detail}</small>
          </>
        )}
        choose={(place) => {
          choose(place)
          setTyped(null)
        }}
        empty="No places found"
        footnote={credits.length > 0 && <p className={styles.note}>{credits.join(' · ')}</p>}
      />
      {chosen && (
        <p className={styles.note}>
          {coordinate(chosen.lat)}, {coordinate(chosen.lng)}
        </p>
      )}
    </>
  )
}
