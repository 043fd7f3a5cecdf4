import { openConnection, type Connection, type ConnectionOptions } from './connection.ts'

export interface ConnectionPool {
  /** Waits for its turn; whoever gets one must release it. */
  readonly acquire: () => Promise<Connection>
  readonly release: (connection: Connection) => void
  /** Lets what is held be released, for as long as `graceMs`. */
  readonly close: (graceMs: number) => Promise<void>
}

interface Waiter {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: Error) => void
}

/** Far longer than any request should hold a connection: whoever waits this long learns that something is wrong. */
const maxWaitMs = 30_000
const minuteMs = 60_000

/** Servers keep plans and caches for as long as a connection lives; at different times, so that not all are made anew at once. */
const lifetimeMs = (): number => (30 + Math.random() * 30) * minuteMs

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** At most so many connections at once, opened when they are wanted. One that was lost makes room for a new one. */
export const createConnectionPool = (where: ConnectionOptions, maxConnections: number): ConnectionPool => {
  const idle: Connection[] = []
  const held = new Set<Connection>()
  const expiresAt = new WeakMap<Connection, number>()
  const waiters = new Set<Waiter>()
  const released = Promise.withResolvers<void>()
  let isClosing = false

  const open = (): Connection => {
    const connection = openConnection(where)
    expiresAt.set(connection, Date.now() + lifetimeMs())
    return connection
  }

  /** The one that was used last: its plans are warm. */
  const take = (): Connection => {
    let connection = idle.pop()
    while (connection?.isUsable() === false) connection = idle.pop()
    const taken = connection ?? open()
    held.add(taken)
    return taken
  }

  const wait = (): Promise<Connection> => {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const timer = setTimeout(() => {
      waiters.delete(waiter)
      reject(failure('CONNECT_TIMEOUT', `No database connection was free for ${maxWaitMs} ms.`))
    }, maxWaitMs)
    const waiter: Waiter = {
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

  return {
    acquire: async () => {
      if (isClosing) throw failure('CONNECTION_ENDED', 'The database connections are closed.')
      return held.size < maxConnections ? take() : wait()
    },
    release: (connection) => {
      if (!held.delete(connection)) return
      if (connection.isUsable()) {
        if (isClosing || (expiresAt.get(connection) ?? 0) < Date.now()) connection.discard()
        else idle.push(connection)
      }
      if (isClosing && held.size === 0) released.resolve()
      const [next] = waiters
      if (next === undefined) return
      waiters.delete(next)
      next.resolve(take())
    },
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
