import type { Static } from 'typebox'
import { Type } from 'typebox'

/** The number of the format that `write.ts` writes. A version of the product reads its own and all lower ones. */
export const format = 1

export const manifestName = 'manifest.json'

/** The last entry of a backup. */
export const Manifest = Type.Object({
  product: Type.Literal('Twende OMS'),
  format: Type.Number(),
  /** The name of the newest migration that the database had. */
  schema: Type.String(),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  /** When the rows were read, in ISO 8601. */
  time: Type.String(),
  /** The number of rows of each table. */
  tables: Type.Record(Type.String(), Type.Number()),
  pictures: Type.Number(),
  /** The SHA-256 of each other entry, in hexadecimal. */
  hashes: Type.Record(Type.String(), Type.String()),
})
export type Manifest = Static<typeof Manifest>

/** What is called with the progress: rows or bytes that are done, of how many, and of what. */
export type Report = (done: number, total: number, what: string) => void
