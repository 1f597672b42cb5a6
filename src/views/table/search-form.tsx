import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import { useEffect } from 'react'
import styles from './search-form.module.css'

interface SearchFormProps {
  ref: RefObject<HTMLInputElement | null>
  placeholder: string
  value: string
  submit: (value: string) => void
  /** Called for Escape, which gives up unsent text, and for the down arrow: moves the focus to the results. */
  leave: () => void
}

/** Invisible marks that phones and chat programs copy with a phone number. */
const marks = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A search form that searches on submit (rulings, lists). Typed text stays local until then. */
export function SearchForm({ ref, placeholder, value, submit, leave }: SearchFormProps) {
  useEffect(() => {
    if (ref.current) ref.current.value = value
  }, [ref, value])
  return (
    <form
      role="search"
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const typed = ref.current?.value.replace(marks, '').trim() ?? ''
        // A phone number becomes a filter, and is no text of the address.
        if (ref.current) ref.current.value = value
        submit(typed)
      }}
    >
      <Search size={16} aria-hidden />
      <input
        ref={ref}
        type="search"
        name="text"
        maxLength={200}
        placeholder={placeholder}
        aria-label={placeholder}
        data-command="list.search"
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'ArrowDown') return
          event.preventDefault()
          if (event.key === 'Escape') event.currentTarget.value = value
          leave()
        }}
      />
    </form>
  )
}
