import { list, mutate } from './client.ts'
import type { Invoice } from './contract.ts'

export const listInvoices = list<Invoice>('invoices', 'all-invoices/')
export const clearInvoice = (invoice_id: unknown, key: string) =>
  mutate('invoice/update/', key, { invoice_id })
