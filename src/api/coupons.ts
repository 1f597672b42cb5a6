import { list, mutate } from './client.ts'
import type { Coupon } from './contract.ts'

export const listCoupons = list<Coupon>('coupons', 'coupons/')
export const createCoupon = (fields: unknown, key: string) => mutate('coupons/create/', key, fields)
export const updateCoupon = (id: string, change: unknown, key: string) =>
  mutate(`coupons/${encodeURIComponent(id)}/update/`, key, change)
