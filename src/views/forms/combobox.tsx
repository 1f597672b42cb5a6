import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { useId, useState } from 'react'
import type { Search } from '../ui/use-search.ts'
import styles from './combobox.module.css'

interface ComboboxProps<T> {
  input: ComponentProps<'input'>
  typed: string
  type: (text: string) => void
  /** Whether the suggestions are visible. */
  isOpen: boolean
  close: () => void
  search: Search<T>
  idOf: (item: T) => string
  option: (item: T) => ReactNode
  choose: (item: T) => void
  empty: string
  /** A remark on the suggestions, such as their source. */
  notice?: string
  /** Shown below the suggestions. */
  footnote?: ReactNode
}

/** A text field with suggestions (APG combobox). Enter chooses only from the suggestions for the typed text. */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { input, typed, type, isOpen, close, search, idOf, option, choose, empty, notice, footnote } = props
  const listId = useId()
  const [moved, setMoved] = useState<string | null>(null)
  const at = Math.max(
    search.results.findIndex((item) => idOf(item) === moved),
    0,
  )
  const current = isOpen ? search.results[at] : undefined
  const optionId = (item: T) => `${listId}-${idOf(item)}`

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const { length } = search.results
      const next = search.results[(at + step + length) % length]
      if (next === undefined) return
      setMoved(idOf(next))
      // Not for the mouse, under which the list must not move.
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      // Enter chooses a suggestion and never submits the form.
      event.preventDefault()
      if (event.repeat) return
      if (current !== undefined) choose(current)
      else if (isOpen && search.state === 'failed') search.retry()
    } else if (event.key === 'Escape' && isOpen) close()
  }

  return (
    <div className={styles.combobox}>
      <input
        {...input}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : optionId(current)}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setMoved(null)
          type(event.target.value)
        }}
        onKeyDown={onKeyDown}
      />
      {isOpen && (
        <div className={styles.suggestions}>
          <ul id={listId} role="listbox" aria-label="Suggestions" hidden={search.results.length === 0}>
            {search.results.map((item) => (
              <li
                key={idOf(item)}
                id={optionId(item)}
                role="option"
                aria-selected={item === current}
                // The focus stays in the text field.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={({ movementX, movementY }) => {
                  if (movementX || movementY) setMoved(idOf(item))
                }}
                onClick={() => choose(item)}
              >
                {option(item)}
              </li>
            ))}
          </ul>
          <div className={styles.outcome} role="status">
            {search.state === 'searching' && 'Searching…'}
            {search.state === 'done' && search.results.length === 0 && empty}
            {search.state === 'failed' && (
              <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={search.retry}>
                Retry
              </button>
            )}
            {notice && <p>{notice}</p>}
          </div>
          {footnote}
        </div>
      )}
    </div>
  )
}
