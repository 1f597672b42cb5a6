import { list, mutate } from './client.ts'
import type { PromoCode } from './contract.ts'

export const listPromoCodes = list<PromoCode>('promos', 'promo-codes/')
export const createPromoCode = (fields: unknown, key: string) => mutate('promo-code/create/', key, fields)
export const updatePromoCode = (id: string, change: unknown, key: string) =>
  mutate(`promo-codes/${encodeURIComponent(id)}/update/`, key, change)
