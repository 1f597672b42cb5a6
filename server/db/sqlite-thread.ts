import { setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { statementsOf } from './sqlite-statements.ts'

/** A statement of a thread that only reads; sqlite-reader.ts sends it here. */
export interface Question {
  text: string
  parameters: readonly unknown[]
  /** Becomes 1 when nobody waits for the answer any more. A statement that has begun is not interrupted. */
  gone: Int32Array
}

/** Errors are sent as data, because a thread would lose their codes. */
export type Answer = 'gone' | { rows: never[] } | { error: { message: string; errcode: number } }

const [, , file = '', niceness = ''] = process.argv
// Elsewhere it would be the priority of the whole server.
if (process.platform === 'linux') setPriority(Number(niceness))
const raw = new DatabaseSync(file, { readOnly: true })
raw.exec('pragma busy_timeout = 5000')
raw.exec('pragma cache_size = -16384')
raw.exec('pragma temp_store = memory')
const { prepare } = statementsOf(raw)

export default ({ text, parameters, gone }: Question) => {
  if (Atomics.load(gone, 0) === 1) return 'gone'
  try {
    return { rows: prepare(text).all(parameters) }
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
    return { error: { message: String(error), errcode } }
  }
}
