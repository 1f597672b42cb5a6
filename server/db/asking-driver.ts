import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/** A driver of Kysely that gives each statement, which only reads, to `ask`. It has neither transactions nor streams. */
export function askingDriver(
  ask: (query: CompiledQuery) => Promise<QueryResult<never>>,
  destroy: () => Promise<void>,
): Driver {
  const connection: DatabaseConnection = { executeQuery: ask, streamQuery: refuse }
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy,
  }
}

function refuse(): never {
  throw new Error('This connection has neither transactions nor streams.')
}
