import { getPriority, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { statementsOf, stillAsked } from './sqlite-statements.ts'

/** A statement for a connection that reads, or a script for one that builds; sqlite-reader.ts sends it here. */
export interface Question {
  text: string
  parameters: readonly unknown[]
  /** Becomes 1 when nobody waits for the answer any more. Then `still_asked()` ends the statement. */
  gone: Int32Array
}

/** Errors are sent as data, because a thread would lose their codes. */
export type Answer = 'gone' | { rows: never[] } | { error: { message: string; errcode: number } }

const [, , file = '', niceness = '', use] = process.argv
// Elsewhere it would be the priority of the whole server. Only root may lower the niceness with which the server was started.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), Number(niceness)))
// By default, nobody may write to the tables in which FTS5 keeps an index.
const builds = use === 'builds'
const raw = new DatabaseSync(file, builds ? { defensive: false } : { readOnly: true })
raw.exec('pragma busy_timeout = 5000')
if (builds) {
  raw.exec(`pragma temp_store = file; attach '' as scratch; pragma scratch.journal_mode = off`)
} else {
  raw.exec('pragma cache_size = -16384')
  raw.exec('pragma temp_store = memory')
}
const { prepare } = statementsOf(raw)

let gone: Int32Array | null = null
const isGone = () => gone !== null && Atomics.load(gone, 0) === 1
raw.function(stillAsked, () => {
  if (isGone()) throw new Error('Nobody waits for the answer.')
  return 1
})

export default (question: Question) => {
  gone = question.gone
  if (isGone()) return 'gone'
  try {
    if (builds) raw.exec(question.text)
    return { rows: builds ? [] : prepare(question.text).all(question.parameters) }
  } catch (error) {
    if (isGone()) return 'gone'
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
    return { error: { message: String(error), errcode } }
  }
}
