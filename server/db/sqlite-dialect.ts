import type { DatabaseSync } from 'node:sqlite'
import type { DatabaseConnection, Dialect, SelectModifierNode, TransactionSettings } from 'kysely'
import { CompiledQuery, SqliteAdapter, SqliteDriver, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Flushes } from './sqlite-flush.ts'
import { statementsOf } from './sqlite-statements.ts'

/**
 * The connection that writes. Statements and transactions run one after the other. The promise of each one resolves when everything that
 * was committed so far is on the disk; the next one runs while it waits for that.
 */
export function sqliteDialect(raw: DatabaseSync, flushes: Flushes): Dialect {
  const { close, prepare } = statementsOf(raw)
  const database = {
    close,
    prepare: (text: string) => {
      if (!onlyReads.test(text)) flushes.written()
      return prepare(text)
    },
  }
  return {
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new Compiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => new Driver({ database }, raw, flushes),
  }
}

/** Statements after which there is nothing to flush. `commit` is not one of them. */
const onlyReads = /^\s*(select|begin|rollback|with(?!.*\b(insert|update|delete)\b))\b/is

class Adapter extends SqliteAdapter {
  /** DDL is transactional in SQLite, but Kysely's own adapter says that it is not. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Otherwise Kysely would run the next statement only after the flush. `Driver` has a queue of its own. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** SQLite has no `for update`. A transaction that writes holds the lock of the whole database from its beginning. */
class Compiler extends SqliteQueryCompiler {
  override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForNoKeyUpdate') super.visitSelectModifier(node)
  }
}

class Driver extends SqliteDriver {
  readonly #raw: DatabaseSync
  readonly #flushes: Flushes
  /** The requests for the connection in their order. The first one has it, the others wait. */
  readonly #queue: (() => void)[] = []

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], raw: DatabaseSync, flushes: Flushes) {
    super(config)
    this.#raw = raw
    this.#flushes = flushes
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await new Promise<void>((begin) => {
      if (this.#queue.push(begin) === 1) begin()
    })
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    this.#queue.shift()
    this.#queue[0]?.()
    await this.#flushes.flushed()
  }

  /** What a transaction has read before it writes would be stale if another process wrote in between. */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
  }

  /** On a full disk SQLite rolls back by itself. A second rollback would fail and hide the original error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#raw.isTransaction) await super.rollbackTransaction(connection)
  }
}
