import { listCustomers } from '../api/customers.ts'
import { isRow } from '../api/loose.ts'
import { numberOf, phone, text } from '../format.ts'
import { parseListState } from '../state/list.ts'
import type { Search } from './use-search.ts'
import { useSearch } from './use-search.ts'

/** A customer as the user picker keeps one; the phone number tells namesakes apart. */
export interface ChosenCustomer {
  id: number
  fullname: string
  phone_number: string
}

/** Customers by name through the ordinary list call (S7.34). */
export function useCustomerSearch(query: string): Search<ChosenCustomer> {
  return useSearch(query, {
    scope: 'customers',
    debounce: 500, // S5.4, S9.9
    least: 0,
    search: async (s, signal) => {
      const page = await listCustomers({ ...parseListState(''), s, size: 25 }, signal)
      return page.results.flatMap(({ id, user }) => chosenCustomer({ ...user, id }) ?? [])
    },
  })
}

/** A chosen customer from whatever arrived or was kept; null where it is none. */
export function chosenCustomer(value: unknown): ChosenCustomer | null {
  if (!isRow<ChosenCustomer>(value)) return null
  const id = numberOf(value.id) // S7.32: numeric
  return id === null ? null : { id, fullname: text(value.fullname), phone_number: phone(value.phone_number) }
}
