import { ChevronsUpDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import type { ChosenRecord } from '../../commands/form.ts'
import { chosenRecord } from '../../commands/form.ts'
import type { Noun } from '../../commands/noun.ts'
import { useRecordSearch } from '../ui/use-record-search.ts'
import { Combobox } from './combobox.tsx'
import type { Control } from './control.ts'
import styles from './record-picker.module.css'

interface RecordPickerProps {
  control: Control
  labelId: string
  /** The noun whose records can be chosen. */
  noun: Noun
  /** The form's word for a record, such as "user". */
  what: string
  value: unknown
  choose: (record: ChosenRecord) => void
}

/** S5.4, S9.9 */
const pace = { debounce: 500, least: 0 }

/** S2.q.4: for example the user of a promo code. The noun's description tells records with the same name apart. */
export function RecordPicker({ control, labelId, noun, what, value, choose }: RecordPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const chosen = chosenRecord(value)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button
          type="button"
          {...control}
          className={styles.trigger}
          data-empty={!chosen}
          aria-labelledby={`${labelId} ${control.id}-choice`}
        >
          <span id={`${control.id}-choice`}>
            {chosen ? <Names noun={noun} record={chosen} /> : `Select ${what}...`}
          </span>
          <ChevronsUpDown size={16} aria-hidden />
        </button>
      </Popover.Trigger>
      {/* No portal: the dialog blocks wheel and focus outside itself. */}
      <Popover.Content className={styles.popover} align="start" sideOffset={4} aria-label={`Select ${what}`}>
        <RecordSearch
          noun={noun}
          what={what}
          close={() => setOpen(false)}
          choose={(record) => {
            choose(record)
            setOpen(false)
          }}
        />
      </Popover.Content>
    </Popover.Root>
  )
}

interface RecordSearchProps extends Pick<RecordPickerProps, 'noun' | 'what' | 'choose'> {
  close: () => void
}

function RecordSearch({ noun, what, choose, close }: RecordSearchProps) {
  const [typed, setTyped] = useState('')
  const search = useRecordSearch(noun, typed.trim(), pace)
  const results = search.results.flatMap((row) => {
    const record = { ...row, name: noun.nameOf(row), detail: noun.describe?.(row) }
    return chosenRecord(record) ?? []
  })
  const placeholder = `Search ${what}...`
  return (
    <Combobox
      input={{ placeholder, 'aria-label': placeholder }}
      typed={typed}
      type={setTyped}
      isOpen
      close={close}
      search={{ ...search, results }}
      idOf={({ id }) => String(id)}
      option={(record) => <Names noun={noun} record={record} />}
      choose={choose}
      empty={`No ${what}s found.`}
    />
  )
}

function Names({ noun, record: { id, name, detail } }: { noun: Noun; record: ChosenRecord }) {
  return (
    <>
      <span>{name || `${noun.singular} ${id}`}</span>
      <small>{detail}</small>
    </>
  )
}
