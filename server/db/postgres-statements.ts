import type pg from 'pg'
import { allowAnyTime } from './postgres-hang.ts'
import { mostValues } from './prepared-values.ts'

/**
 * Lets a connection parse and plan each statement once, which takes longer than to run most of them. Patterns are left out,
 * because their plan depends on the pattern. So are long lists, which would make a statement of each length.
 */
export function prepareStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const send = (...given: unknown[]): unknown => Reflect.apply(query, client, given)
  const names = new Map<string, string>()
  let isStale = false
  const prepared = (text: unknown, ...rest: unknown[]): unknown => {
    const [values, ...others] = rest
    if (typeof text === 'string' && text.includes('statement_timeout')) allowAnyTime(client)
    const isFit = Array.isArray(values) && values.length <= mostValues && !isStale
    if (!isFit || typeof text !== 'string' || !isRepeated.test(text)) return send(text, ...rest)
    const name = names.get(text) ?? `statement ${String(names.size)}`
    if (names.size < mostStatements) names.set(text, name)
    if (!names.has(text)) return send(text, ...rest)
    const answer = send({ name, text, values }, ...others)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        isStale ||= isOutdated(error)
      })
    return answer
  }
  Object.assign(client, { query: prepared })
}

/** Matches neither definitions, which a migration runs once, nor statements with patterns. */
const isRepeated = /^\s*(?!.*( like |@@))(select|insert|update|delete|with)\b/s
/** Of one connection: PostgreSQL keeps them in memory until it ends. */
const mostStatements = 500

/** A newer version of the product has changed a table since the statement was prepared. */
export const isOutdated = (error: unknown) => codeOf(error) === '0A000' && /cached plan/.test(String(error))

/**
 * Sends the statements of a transaction that a connection gets in one turn of the event loop as one message. `begin` is answered at once and sent
 * with the first statement. A statement that is given before the earlier ones are answered fails with the error of the first of them
 * that fails, so a transaction need not wait for statements whose answers it does not need: its commit fails if one of them does.
 */
export function sendTogether(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const { stream } = client.connection
  let isInTransaction = false
  /** The newest statement of the transaction, until it is answered; one that has failed, until the transaction ends. */
  let newest: Promise<unknown> | null = null
  const send = (...given: unknown[]): unknown => {
    const [text] = given
    if (text === 'begin') {
      isInTransaction = true
      newest = null
    }
    if (!isInTransaction) return Reflect.apply(query, client, given)
    if (text === 'commit' || text === 'rollback') isInTransaction = false
    stream.cork()
    process.nextTick(() => stream.uncork())
    const answer: unknown = Reflect.apply(query, client, given)
    if (!(answer instanceof Promise)) return answer
    // A rollback is wanted although a statement has failed.
    const whole = newest && text !== 'rollback' ? newest.then(() => answer) : answer
    newest = whole
    whole.then(
      () => {
        if (newest === whole) newest = null
      },
      () => undefined,
    )
    // If an earlier statement has failed, nobody waits for this one.
    answer.catch(() => undefined)
    return text === 'begin' ? Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] }) : whole
  }
  Object.assign(client, { query: send })
}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
