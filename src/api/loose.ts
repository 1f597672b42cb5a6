/**
 * What a server may send in place of a T: any part can be missing, null or of another type. Objects are read with
 * `?.`, everything else is `unknown` until a formatter has checked it, so an unexpected answer cannot break a screen.
 */
type Loose<T> = T extends readonly unknown[]
  ? unknown
  : T extends object
    ? { readonly [Key in keyof T]?: Loose<T[Key]> } | null | undefined
    : T extends null | undefined
      ? null | undefined
      : unknown

/** One record of a list or a detail: checked to be an object, with unchecked fields. */
export type Row<T> = NonNullable<Loose<T>>

export function isRow<T extends object>(value: unknown): value is Row<T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** S3.17 */
export interface Page<T> {
  results: Row<T>[]
  page: number
  totalPages: number
  /** The number of records on all pages; null if the server does not send it. */
  count: number | null
}

export function readPage<T extends object>(json: unknown, asked: number): Page<T> {
  const answer = new Map<string, unknown>(isRow<object>(json) ? Object.entries(json) : [])
  const results = answer.get('results')
  if (!Array.isArray(results)) throw new TypeError('The answer is not a list.')
  const whole = (name: string) => {
    const value = answer.get(name)
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
  }
  const totalPages = whole('total_pages') ?? (results.length ? asked : 0)
  const page = whole('current_page_number') || asked
  return {
    results: results.filter((item): item is Row<T> => isRow<T>(item)),
    // For a page beyond the end: the number of the last page, even if the server sends a higher one (rulings, lists).
    page: Math.min(page, Math.max(totalPages, 1)),
    totalPages,
    count: whole('count'),
  }
}
