/** Nairobi is three hours ahead of UTC in every season. In milliseconds. */
export const nairobiOffset = 3 * 60 * 60 * 1000
export const hourLength = 60 * 60 * 1000
export const dayLength = 24 * hourLength

/** What of a table is counted for each hour. SQL expressions over one row, which has the alias `R`. */
export interface PerHour {
  /** The time that decides the hour, in epoch milliseconds. It may be null for a row that counts nothing. */
  at: string
  /** 1 for a row that counts, else 0. */
  n: string
  /** In cents; 0 if `n` is 0. */
  amount?: string
  /** The name of the place whose area is counted for each day, besides the hours. At most one table has it. */
  place?: string
}

/** The hour in Nairobi of a time, counted from 1970, as SQL. Times before 1970 do not occur. */
export const hourOf = ({ at }: PerHour) => `(${at} + ${nairobiOffset}) / ${hourLength}`

/** The day in Nairobi of a time, counted from 1970, as SQL. */
export const dayOf = (at: string) => `(${at} + ${nairobiOffset}) / ${dayLength}`
