import { Client, Pool, type ClientConfig, type PoolClient } from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { accountInScope, scopeConnection } from './account-scope.ts'
import {
  clientOptions,
  connectFailure,
  connectTimeoutMs,
  Connection,
  type ConnectionOptions,
  type OnAttempt,
} from './driver/connection.ts'

export interface ConnectionPool {
  /**
   * Waits for a free connection, which the caller must release. The connection sees the rows of the account
   * in whose scope the caller runs.
   */
  readonly acquire: () => Promise<LentConnection>
  readonly use: () => PoolUse
  readonly close: (graceMs: number) => Promise<void>
}

export interface PoolUse {
  readonly busy: number
  readonly idle: number
  /** Callers that wait for a free connection. */
  readonly waiting: number
  readonly max: number
}

export interface LentConnection {
  readonly connection: Connection
  readonly release: () => void
}

/** Far longer than a request should hold a connection: a longer wait indicates a fault and fails. */
const maxWaitMs = 30_000

/** PostgreSQL keeps plans and caches for the life of a connection. Differs between processes. */
const lifetimeSeconds = (): number => (30 + Math.random() * 30) * 60

/** The pool's timeout includes the wait for a free connection and is therefore longer. */
class PooledClient extends Client {
  constructor(options?: ClientConfig) {
    // The pool hides the password from spreads.
    super({ ...options, password: options?.password, connectionTimeoutMillis: connectTimeoutMs })
  }
}

/** Opens up to `maxConnections` connections on demand and replaces lost and worn ones. */
export const createConnectionPool = (
  where: ConnectionOptions,
  maxConnections: number,
  {
    isRowSecurityEnabled,
    lockTimeoutMs,
    onAttempt,
  }: {
    readonly isRowSecurityEnabled: boolean
    readonly lockTimeoutMs: number | null
    readonly onAttempt: OnAttempt
  },
): ConnectionPool => {
  const pool = new Pool({
    ...clientOptions(where),
    Client: PooledClient,
    // Accepts the next statement of a transaction before the answer to the last one.
    pipeline: true,
    max: maxConnections,
    connectionTimeoutMillis: maxWaitMs,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: lifetimeSeconds(),
  })
  const connections = new Map<PoolClient, Connection>()
  const scopes = new WeakMap<Connection, number>()
  // Without a listener, losing an idle connection would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    const connection = new Connection(client)
    connections.set(client, connection)
    onAttempt(true)
    if (lockTimeoutMs !== null) connection.limitLockWaits(lockTimeoutMs)
  })
  pool.on('remove', (client) => connections.delete(client))

  const take = async (): Promise<LentConnection> => {
    const client = await pool.connect().catch((error: unknown) => {
      onAttempt(false)
      throw connectFailure(error)
    })
    const connection = connections.get(client) as Connection
    return { connection, release: () => client.release(!connection.isUsable || connection.isWorn) }
  }

  return {
    acquire: async () => {
      const accountId = isRowSecurityEnabled ? accountInScope() : null
      const lent = await take()
      const { connection, release } = lent
      if ((scopes.get(connection) ?? null) === accountId) return lent
      try {
        await scopeConnection(connection, accountId)
      } catch (error) {
        // The scope of the connection is now unknown.
        connection.discard()
        release()
        throw error
      }
      if (accountId === null) scopes.delete(connection)
      else scopes.set(connection, accountId)
      return lent
    },
    use: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: maxConnections,
    }),
    close: async (graceMs) => {
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, graceMs)
      await Promise.race([pool.end(), patience.promise])
      clearTimeout(timer)
      for (const connection of connections.values()) connection.discard()
    },
  }
}

/** The part of a pool that the dialect of Kysely uses. */
export const poolForKysely = ({ acquire }: ConnectionPool): PostgresPool => ({
  options: {},
  connect: async () => {
    const { connection, release } = await acquire()
    const client = {
      query: async (text: string, values: readonly unknown[]) => {
        // Kysely would throw a failed rollback in place of the error that caused it.
        if (text !== 'rollback') return connection.query(text, values)
        await connection.rollback()
        return { command: 'ROLLBACK', rowCount: null, rows: [] }
      },
      release: (isBroken?: boolean) => {
        if (isBroken === true) connection.discard()
        release()
      },
    }
    return client as unknown as PostgresPoolClient
  },
  end: async () => {},
})
