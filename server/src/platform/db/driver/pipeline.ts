import { connectionLost, openConnection, type Connection, type ConnectionOptions } from './connection.ts'

interface Slot {
  connection: Connection | null
  opening: Promise<Connection> | null
  runningCount: number
}

export interface Pipeline {
  readonly run: <Result>(start: (connection: Connection) => Promise<Result>) => Promise<Result>
  readonly runningCount: () => number
  readonly close: (graceMs: number) => Promise<void>
}

/**
 * Runs standalone statements. A connection sends each statement without waiting for the answers to earlier
 * ones, which makes hot reads cheap. Lost connections are replaced by the next statement.
 */
export const openPipeline = (
  where: ConnectionOptions,
  maxConnections: number,
  lockTimeoutMs: number | null = null,
): Pipeline => {
  const slots = Array.from({ length: maxConnections }, (): Slot => ({
    connection: null,
    opening: null,
    runningCount: 0,
  }))
  let isClosed = false

  const open = async (slot: Slot): Promise<Connection> => {
    try {
      const connection = await openConnection(where, { pipeline: true })
      if (lockTimeoutMs !== null) connection.limitLockWaits(lockTimeoutMs)
      slot.connection = connection
      return connection
    } finally {
      slot.opening = null
    }
  }

  return {
    run: async (start) => {
      if (isClosed) throw connectionLost()
      // The first of equals: its plans and caches are warm.
      const slot = slots.reduce((least, one) => (one.runningCount < least.runningCount ? one : least))
      slot.runningCount += 1
      try {
        const connection =
          slot.connection?.isUsable === true ? slot.connection : await (slot.opening ??= open(slot))
        return await start(connection)
      } finally {
        slot.runningCount -= 1
      }
    },
    runningCount: () => slots.reduce((sum, slot) => sum + slot.runningCount, 0),
    close: async (graceMs) => {
      isClosed = true
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, graceMs)
      const ends = slots.map(async ({ connection, opening }) =>
        (await opening?.catch(() => null), connection)?.end(),
      )
      await Promise.race([Promise.all(ends), patience.promise])
      clearTimeout(timer)
    },
  }
}
