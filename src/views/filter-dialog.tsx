import { getDefaultStore, useAtomValue } from 'jotai'
import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { capabilitiesAtom } from '../api/config.ts'
import { queryClient } from '../api/query-client.ts'
import { isRow } from '../api/loose.ts'
import { valuesOf } from '../commands/filters.ts'
import type { ChosenRecord } from '../commands/form.ts'
import { chosenRecord } from '../commands/form.ts'
import { listedAtom } from '../commands/list.ts'
import type { Noun } from '../commands/noun.ts'
import { nounOf } from '../commands/noun.ts'
import { closeDialog } from '../state/dialog.ts'
import { formatFilter, listQueryAtom, parseFilter } from '../state/list.ts'
import { pathAtom } from '../state/location.ts'
import fieldStyles from './forms/form-field.module.css'
import { RecordPicker } from './forms/record-picker.tsx'
import { Modal } from './shell/modal.tsx'
import styles from './filter-dialog.module.css'
import { useDialog } from './ui/use-dialog.ts'

/** The first that counts as a day. A year typed with two digits, 0026, is long before it. */
const firstDay = '1970-01-02'

/** Filters the list on screen by days and by the people that its records belong to. */
export function FilterDialog() {
  const dialog = useDialog('filters')
  // While it is closed, it does not wait for the list.
  return dialog && <ListFilters />
}

function ListFilters() {
  const { filters } = useAtomValue(capabilitiesAtom)
  const noun = useAtomValue(listedAtom)?.noun
  // By Back or Forward.
  useEffect(() => getDefaultStore().sub(pathAtom, closeDialog), [])
  return (
    noun && (
      <Modal open close={closeDialog} title={`Filter ${noun.plural}`} size="small">
        <Fields noun={noun} names={valuesOf(noun, filters)} />
      </Modal>
    )
  )
}

interface FieldsProps {
  noun: Noun
  /** The terms that can be chosen, such as `from:` and `driver:`. */
  names: readonly string[]
}

function Fields({ noun, names }: FieldsProps) {
  const terms = parseFilter(useAtomValue(listQueryAtom).filter)
  const [values, setChosen] = useState(
    () => new Map(names.map((name) => [name, terms.find((term) => term.name === name)?.id ?? ''])),
  )
  const [records, setRecords] = useState<ReadonlyMap<string, ChosenRecord>>(new Map())
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  // Not the button that closes the dialog, which comes before.
  useEffect(() => form.current?.querySelector<HTMLElement>('input,button')?.focus(), [])
  const choose = (name: string, value: string) => setChosen(new Map(values).set(name, value))
  const people = names.filter((name) => name !== 'from:' && name !== 'to:')
  const valueOf = (name: string) => values.get(name) ?? ''
  const dateOf = (name: string, label: string, limit: { min: string; max?: string }) => (
    <div className={fieldStyles.field}>
      <label htmlFor={id + name}>{label}</label>
      <input
        type="date"
        id={id + name}
        value={valueOf(name)}
        {...limit}
        onChange={(event) => choose(name, event.currentTarget.value)}
      />
    </div>
  )
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        closeDialog()
        setValues(values)
      }}
    >
      {names.includes('from:') && (
        <fieldset className={styles.days}>
          <legend>{noun.date ?? 'Date'}</legend>
          {dateOf('from:', 'From', { min: firstDay, max: valueOf('to:') })}
          {dateOf('to:', 'To', { min: valueOf('from:') || firstDay })}
        </fieldset>
      )}
      {people.map((name) => {
        const what = nounOf(name.slice(0, -1))
        const value = valueOf(name)
        return (
          <div key={name} className={fieldStyles.field}>
            <label id={`${id}${name}-label`} htmlFor={id + name}>
              {what.singular.charAt(0).toUpperCase() + what.singular.slice(1)}
            </label>
            <div className={styles.person}>
              <RecordPicker
                control={{
                  id: id + name,
                  'aria-invalid': false,
                  'aria-describedby': undefined,
                  title: undefined,
                }}
                labelId={`${id}${name}-label`}
                noun={what}
                what={what.singular}
                value={value && (records.get(name) ?? known(what, value))}
                choose={(record) => {
                  choose(name, String(record.id))
                  setRecords(new Map(records).set(name, record))
                }}
              />
              {value && (
                <button type="button" aria-label={`Any ${what.singular}`} onClick={() => choose(name, '')}>
                  <X size={16} aria-hidden />
                </button>
              )}
            </div>
          </div>
        )
      })}
      <footer className={styles.footer}>
        <button type="submit" data-kind="primary">
          Show {noun.plural}
        </button>
      </footer>
    </form>
  )
}

/** The record with this id, with its name if that has been loaded, as for the chip of the filter. */
function known(noun: Noun, id: string): ChosenRecord | null {
  const row = queryClient.getQueryData([noun.name, 'one', id])
  return chosenRecord({ id, name: isRow<object>(row) ? noun.nameOf(row) : '', detail: '' })
}

/** Sets the values of terms, or takes those without a value away, and goes to page 1. */
function setValues(values: ReadonlyMap<string, string>): void {
  const store = getDefaultStore()
  const others = parseFilter(store.get(listQueryAtom).filter).filter(({ name }) => !values.has(name))
  const set = [...values].flatMap(([name, id]) => (id ? [{ name, id }] : []))
  store.set(listQueryAtom, { filter: formatFilter([...others, ...set]), page: 1 })
}
