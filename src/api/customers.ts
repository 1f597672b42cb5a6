import { list } from './client.ts'
import type { Customer } from './contract.ts'

export const listCustomers = list<Customer>('customers', 'customers/')
