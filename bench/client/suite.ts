import type { Visit } from './visit.ts'

/** The values of one visit by the names of what was measured. */
export type Values = Record<string, number[]>

/** One line of a table: the median of all values of all visits, or another share of them. Less is better in all. */
interface Measurement {
  name: string
  /** The key in `Values`. */
  from: string
  share?: number
}

/** What is measured in one visit. */
export interface Suite {
  title: string
  /** On the first page. */
  rows: number
  measurements: readonly Measurement[]
  /** Null: this target cannot do it. */
  measure: (visit: Visit) => Promise<Values | null>
}
