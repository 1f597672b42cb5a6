import { useState } from 'react'
import type { Place } from '../../api/contract.ts'
import type { Suggestion } from '../../api/google-places.ts'
import { placeOf } from '../../api/place.ts'
import { noteFailure, searchPlaces } from '../../commands/places.ts'
import { useSearch } from '../ui/use-search.ts'
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

const finding = 'Finding where it is…'

/** S2.n.3, S5.2: an establishment in Kenya, required. Text without a chosen suggestion reverts to the last choice. */
export function PlaceInput({ control, isLocked, value, choose }: PlaceInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [locating, setLocating] = useState<Suggestion | null>(null)
  /** The name of a suggestion that Google could not locate. Until a place is chosen, only our own list is searched. */
  const [lost, setLost] = useState('')
  const chosen = placeOf(value)
  const search = useSearch(typed?.trim() ?? '', {
    scope: lost ? 'gazetteer' : 'places',
    debounce: 200,
    least: 2,
    search: async (query, signal) => [await searchPlaces(query, signal, lost !== '')],
  })
  const results = search.results.flatMap(({ places }) => places)
  const credits = [...new Set(results.map(({ credit }) => credit).filter(Boolean))]
  const notice = noticeOf(
    lost,
    search.results.some(({ isFallback }) => isFallback),
  )

  const fault = locating ? finding : typed?.trim() ? 'Choose one of the suggestions.' : ''

  const take = async (suggestion: Suggestion) => {
    setLocating(suggestion)
    try {
      choose(await suggestion.locate())
      setTyped(null)
      setLost('')
    } catch (error) {
      noteFailure(error)
      setLost(suggestion.placeName)
    }
    setLocating(null)
  }

  return (
    <>
      <Combobox
        input={{
          ...control,
          ref: (input) => input?.setCustomValidity(fault),
          required: true,
          readOnly: isLocked,
          // Not `readOnly`: browsers would then send the form with the earlier place.
          'aria-readonly': isLocked || locating !== null,
          placeholder: 'Search a place in Kenya',
          onBlur: () => {
            if (!locating) setTyped(null)
          },
        }}
        typed={locating?.placeName ?? typed ?? chosen?.placeName ?? ''}
        type={(text) => {
          if (!locating) setTyped(text)
        }}
        isOpen={typed !== null && !locating && search.state !== 'idle'}
        close={() => setTyped(null)}
        search={{ ...search, results }}
        idOf={({ id }) => id}
        option={({ placeName, detail }) => (
          <>
            <span>{placeName}</span>
            <small>{detail}</small>
          </>
        )}
        choose={(suggestion) => void take(suggestion)}
        empty="No places found"
        notice={notice}
        footnote={credits.length > 0 && <p className={styles.note}>{credits.join(' · ')}</p>}
      />
      <p className={styles.note} role="status">
        {locating && finding}
      </p>
      {chosen && !locating && (
        <p className={styles.note}>
          {coordinate(chosen.lat)}, {coordinate(chosen.lng)}
        </p>
      )}
    </>
  )
}

function noticeOf(lost: string, isFallback: boolean): string {
  if (lost) return `Google cannot tell where ${lost} is. These places are from our own list.`
  return isFallback ? 'Google Maps cannot be reached. These places are from our own list.' : ''
}
