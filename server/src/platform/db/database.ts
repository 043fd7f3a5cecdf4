import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { createConnectionPool, poolForKysely, type PoolUse } from './connection-pool.ts'
import { openConnection, type Connection, type ConnectionOptions } from './driver/connection.ts'
import { createSql, type Sql } from './hand-written-sql.ts'
import { createJoinedTransactions, type OpenTransaction } from './joined-transaction.ts'
import { openPipeline } from './driver/pipeline.ts'
import type { Tables } from './tables.ts'

export type { ConnectionOptions } from './driver/connection.ts'

export type Tx = Transaction<Tables>
export type Queryable = Kysely<Tables>

export interface Database {
  /** The pool, or the transaction within a joined one. */
  readonly kysely: Queryable
  /** Uses separate connections, also within a joined transaction or the scope of an account. */
  readonly sql: Sql
  readonly connection: ConnectionOptions
  /**
   * Commits when `work` resolves. Within a joined transaction, `work` becomes part of it and commits with it.
   */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Opens a transaction for others to join; the caller must commit it or roll it back. */
  readonly beginJoined: () => Promise<OpenTransaction>
  /** For features bound to a database session, such as advisory locks. */
  readonly onOneConnection: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>
  /** Use of the connections at this moment. */
  readonly use: () => DatabaseUse
  /** Throws if the server refused the last new connection and refuses another one, too. */
  readonly checkNewConnections: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface DatabaseUse extends PoolUse {
  /** Statements in flight on the pipelined connections. */
  readonly pipelined: number
}

const defaultMaxConnections = 10
const defaultPipelineConnections = 4
const closingGraceMs = 5_000

export const openDatabase = (
  connection: ConnectionOptions,
  options: {
    /** For transactions. */
    readonly maxConnections?: number
    /** For standalone statements; each connection pipelines many. */
    readonly pipelineConnections?: number
    /**
     * Limits queries in the scope of an account to its rows. Requires a database where `hasRowLevelSecurity` is
     * true.
     */
    readonly isRowSecurityEnabled?: boolean
    /** How long a statement may wait for a lock before it fails. Null = without limit. */
    readonly lockTimeoutMs?: number | null
  } = {},
): Database => {
  const {
    maxConnections = defaultMaxConnections,
    pipelineConnections = defaultPipelineConnections,
    isRowSecurityEnabled = false,
    lockTimeoutMs = null,
  } = options
  let wasRefused = false
  const onAttempt = (isSuccess: boolean): void => {
    wasRefused = !isSuccess
  }
  const pool = createConnectionPool(connection, maxConnections, {
    isRowSecurityEnabled,
    lockTimeoutMs,
    onAttempt,
  })
  const pipeline = openPipeline(connection, pipelineConnections, { lockTimeoutMs, onAttempt })
  const onOneConnection: Database['onOneConnection'] = async (work) => {
    const { connection: lent, release } = await pool.acquire()
    try {
      return await work(lent)
    } finally {
      release()
    }
  }
  const joined = createJoinedTransactions(
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolForKysely(pool) }) }),
  )
  return {
    get kysely() {
      return joined.current()
    },
    sql: createSql(pipeline),
    connection,
    transaction: joined.transaction,
    beginJoined: joined.begin,
    onOneConnection,
    use: () => ({ ...pool.use(), pipelined: pipeline.runningCount() }),
    checkNewConnections: async () => {
      if (!wasRefused) return
      const opened = await openConnection(connection)
      opened.discard()
      wasRefused = false
    },
    close: async () => {
      await Promise.all([pool.close(closingGraceMs), pipeline.close(closingGraceMs)])
    },
  }
}
