import type { List } from './lists.ts'

/** A page under comparison. */
export interface Page {
  name: string
  title: string
  /** `limit` shows what React itself allows, with next to no features. */
  kind: 'product' | 'limit' | 'peer'
  /** The folder of its sources. */
  folder: string
  /** The address of the drivers with this number of rows on a page. */
  drivers: (rows: number) => string
  /** The selector of a row. */
  row: string
  /** The selector of what scrolls; null: the nearest ancestor of a row that scrolls. */
  scroller: string | null
  /** The selector of the link to a list in the side navigation. */
  link: (list: List) => string
  /** Ctrl+K opens it; null: there is none. */
  palette: { input: string; item: string } | null
}

/** A page while the product's server serves it. */
export interface Target extends Page {
  url: string
  /** Of the session. */
  token: string
  /** Texts that, of all lists, only the first row of this one shows together. */
  textsOn: (list: string) => string[]
}
