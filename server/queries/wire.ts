/** Converts columns to JSON values: epoch milliseconds to ISO 8601, cents to Ksh. */
export const iso = (time: number) => new Date(time).toISOString()
export const isoOrNull = (time: number | null) => (time === null ? null : iso(time))
export const ksh = (cents: number) => cents / 100
export const cents = (amount: number) => Math.round(amount * 100)
export const named = (id: number, fullname: string) => ({ id, user: { fullname } })
export const namedOrNull = (id: number | null, fullname: string | null) =>
  id === null || fullname === null ? null : named(id, fullname)
