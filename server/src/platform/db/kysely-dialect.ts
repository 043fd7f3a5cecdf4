import {
  AbortedTransactionError,
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { ConnectionPool } from './connection-pool.ts'
import type { Connection } from './connection.ts'

const commandsThatCount = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class HeldConnection implements DatabaseConnection {
  readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Returns `never` rows, because the query that Kysely built knows the row type. */
  async executeQuery(query: CompiledQuery): Promise<QueryResult<never>> {
    const result = await this.connection.run((client) =>
      client.unsafe(query.sql, [...query.parameters] as never[], { prepare: true, simple: false } as object),
    )
    const { command, count } = result
    // PostgreSQL answers a commit with ROLLBACK when a statement of the transaction failed.
    if (query.sql === commit && command === 'ROLLBACK') throw new AbortedTransactionError()
    return {
      rows: [...result] as never[],
      ...(commandsThatCount.has(command) ? { numAffectedRows: BigInt(count ?? 0) } : {}),
    }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<QueryResult<never>> {
    throw new Error('Queries cannot be streamed. Read pages instead.')
  }
}

const commit = 'commit'

const begin = ({ isolationLevel, accessMode }: TransactionSettings): string =>
  [
    'start transaction',
    ...(isolationLevel === undefined ? [] : [`isolation level ${isolationLevel}`]),
    ...(accessMode === undefined ? [] : [accessMode]),
  ].join(' ')

export const createDialect = (pool: ConnectionPool): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createDriver: () => ({
    init: async () => {},
    acquireConnection: async () => new HeldConnection(await pool.acquire()),
    releaseConnection: async (held) => pool.release((held as HeldConnection).connection),
    beginTransaction: async (held, settings) => {
      await held.executeQuery(CompiledQuery.raw(begin(settings)))
    },
    commitTransaction: async (held) => {
      await held.executeQuery(CompiledQuery.raw(commit))
    },
    rollbackTransaction: async (held) => {
      const { connection } = held as HeldConnection
      // Losing the connection rolls the transaction back too; the caller gets the original failure.
      await held.executeQuery(CompiledQuery.raw('rollback')).catch(connection.discard)
    },
    destroy: async () => {},
  }),
})
