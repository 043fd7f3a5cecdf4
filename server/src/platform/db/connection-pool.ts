import { accountInScope, scopeConnection } from './account-scope.ts'
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts'

export interface ConnectionPool {
  /**
   * Waits for a free connection, which the caller must release. The connection sees the rows of the account
   * in whose scope the caller runs.
   */
  readonly acquire: () => Promise<Connection>
  readonly release: (connection: Connection) => void
  readonly close: (graceMs: number) => Promise<void>
}

interface Waiter {
  readonly accountId: number | null
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: Error) => void
}

/** Far longer than a request should hold a connection: a longer wait indicates a fault and fails. */
const maxWaitMs = 30_000
const minuteMs = 60_000

/**
 * PostgreSQL keeps plans and caches for the life of a connection. Random lifetimes avoid reopening all
 * connections at once.
 */
const lifetimeMs = (): number => (30 + Math.random() * 30) * minuteMs

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** Opens up to `maxConnections` connections on demand and replaces lost ones. */
export const createConnectionPool = (
  where: ConnectionOptions,
  maxConnections: number,
  options: { readonly isRowSecurityEnabled: boolean },
): ConnectionPool => {
  const idle: Connection[] = []
  const held = new Set<Connection>()
  const expiresAt = new WeakMap<Connection, number>()
  /** Null means all accounts. */
  const scopeOf = new WeakMap<Connection, number | null>()
  const waiters = new Set<Waiter>()
  const released = Promise.withResolvers<void>()
  let isClosing = false

  const open = (): Connection => {
    const connection = openConnection(where)
    expiresAt.set(connection, Date.now() + lifetimeMs())
    return connection
  }

  /**
   * Prefers the connection last used in this scope, because its plans are warm. Changing the account costs a
   * round trip; changing between one and all also costs the plans. The pool therefore opens a new connection
   * while it has room.
   */
  const take = (accountId: number | null): Connection => {
    const usable = idle.filter((connection) => connection.isUsable())
    const hasRoom = held.size + usable.length < maxConnections
    const scoped = (connection: Connection): number | null => scopeOf.get(connection) ?? null
    const taken =
      usable.findLast((connection) => scoped(connection) === accountId) ??
      (hasRoom
        ? undefined
        : usable.find((connection) => (scoped(connection) === null) === (accountId === null))) ??
      (hasRoom ? undefined : usable[0]) ??
      open()
    idle.splice(0, idle.length, ...usable.filter((connection) => connection !== taken))
    held.add(taken)
    return taken
  }

  const wait = (accountId: number | null): Promise<Connection> => {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const timer = setTimeout(() => {
      waiters.delete(waiter)
      reject(failure('CONNECT_TIMEOUT', `No database connection became free within ${maxWaitMs} ms.`))
    }, maxWaitMs)
    const waiter: Waiter = {
      accountId,
      resolve: (connection) => {
        clearTimeout(timer)
        resolve(connection)
      },
      reject: (error) => {
        clearTimeout(timer)
        reject(error)
      },
    }
    waiters.add(waiter)
    return promise
  }

  const release = (connection: Connection): void => {
    if (!held.delete(connection)) return
    if (connection.isUsable()) {
      if (isClosing || (expiresAt.get(connection) ?? 0) < Date.now()) connection.discard()
      else idle.push(connection)
    }
    if (isClosing && held.size === 0) released.resolve()
    const [next] = waiters
    if (next === undefined) return
    waiters.delete(next)
    next.resolve(take(next.accountId))
  }

  return {
    acquire: async () => {
      if (isClosing) throw failure('CONNECTION_ENDED', 'The database connections are closed.')
      const accountId = options.isRowSecurityEnabled ? accountInScope() : null
      const connection = held.size < maxConnections ? take(accountId) : await wait(accountId)
      if ((scopeOf.get(connection) ?? null) === accountId) return connection
      try {
        await scopeConnection(connection, accountId)
      } catch (error) {
        // The scope of the connection is now unknown.
        connection.discard()
        release(connection)
        throw error
      }
      scopeOf.set(connection, accountId)
      return connection
    },
    release,
    close: async (graceMs) => {
      isClosing = true
      for (const waiter of waiters)
        waiter.reject(failure('CONNECTION_ENDED', 'The database connections are closed.'))
      waiters.clear()
      for (const connection of idle.splice(0)) connection.discard()
      if (held.size === 0) return
      const timer = setTimeout(released.resolve, graceMs)
      await released.promise
      clearTimeout(timer)
      for (const connection of held) connection.discard()
    },
  }
}
