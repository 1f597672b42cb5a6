import { ChevronsUpDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import type { ChosenCustomer } from '../../commands/customer-search.ts'
import { chosenCustomer, useCustomerSearch } from '../../commands/customer-search.ts'
import { Combobox } from './combobox.tsx'
import styles from './customer-picker.module.css'
import type { Control } from './control.ts'

interface CustomerPickerProps {
  control: Control
  labelId: string
  value: unknown
  choose: (customer: ChosenCustomer) => void
}

/** S2.q.4: whom a promo code is for; namesakes are told apart by their phone numbers. */
export function CustomerPicker({ control, labelId, value, choose }: CustomerPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const chosen = chosenCustomer(value)
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
          <span id={`${control.id}-choice`}>{chosen ? <Names customer={chosen} /> : 'Select user...'}</span>
          <ChevronsUpDown size={16} aria-hidden />
        </button>
      </Popover.Trigger>
      {/* No portal: the dialog keeps the wheel and the focus to itself. */}
      <Popover.Content className={styles.popover} align="start" sideOffset={4} aria-label="Select user">
        <CustomerSearch
          close={() => setOpen(false)}
          choose={(customer) => {
            choose(customer)
            setOpen(false)
          }}
        />
      </Popover.Content>
    </Popover.Root>
  )
}

function CustomerSearch({
  choose,
  close,
}: {
  choose: (customer: ChosenCustomer) => void
  close: () => void
}) {
  const [typed, setTyped] = useState('')
  const search = useCustomerSearch(typed.trim())
  return (
    <Combobox
      input={{ placeholder: 'Search user...', 'aria-label': 'Search user...' }}
      typed={typed}
      type={setTyped}
      isOpen
      close={close}
      search={search}
      idOf={({ id }) => String(id)}
      option={(customer) => <Names customer={customer} />}
      choose={choose}
      empty="No users found."
    />
  )
}

function Names({ customer: { id, fullname, phone_number } }: { customer: ChosenCustomer }) {
  return (
    <>
      <span>{fullname || `Customer ${id}`}</span>
      <small>{phone_number}</small>
    </>
  )
}
