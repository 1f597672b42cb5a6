import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import { useEffect } from 'react'
import styles from './search-form.module.css'

interface SearchFormProps {
  ref: RefObject<HTMLInputElement | null>
  placeholder: string
  value: string
  submit: (value: string) => void
  /** Escape, which gives up unsent text, and the arrow down go to what was found. */
  leave: () => void
}

/** Submits as a form (rulings, lists); what is typed is nobody else's business until then. */
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
        submit(ref.current?.value.trim() ?? '')
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
