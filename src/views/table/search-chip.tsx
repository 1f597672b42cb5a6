import { X } from 'lucide-react'
import { filterId } from '../../commands/filters.ts'
import styles from './filter-chips.module.css'
import type { SearchChipProps } from './late-parts.ts'
import { SearchForm } from './search-form.tsx'

/** A search in place of a search box: Escape, empty text and its button end it. */
export function SearchChip({ noun, search: { ref, submit, close, leave }, value, end }: SearchChipProps) {
  return (
    <div
      className={styles.search}
      onKeyDown={(event) => event.key === 'Escape' && end()}
      onBlur={() => !value && !ref.current?.value && close()}
    >
      <SearchForm
        ref={ref}
        placeholder={`Search ${noun.plural}...`}
        value={value}
        submit={(text) => (text ? submit(text) : end())}
        leave={leave}
      />
      {value && (
        <button
          type="button"
          aria-label={`Remove the search for ${value}`}
          data-command={filterId(noun.path, 's')}
          onClick={end}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
