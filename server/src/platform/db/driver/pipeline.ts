import {
  connectionLost,
  openConnection,
  type Connection,
  type ConnectionOptions,
  type OnAttempt,
} from './connection.ts'

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
  { lockTimeoutMs, onAttempt }: { readonly lockTimeoutMs: number | null; readonly onAttempt: OnAttempt },
): Pipeline => {
  const slots = Array.from({ length: maxConnections }, (): Slot => ({
    connection: null,
    opening: null,
    runningCount: 0,
  }))
  let isClosed = false
  // The first of equals: its plans and caches are warm.
  const leastBusy = (among: readonly Slot[]): Slot | null =>
    among.reduce<Slot | null>(
      (least, one) => (least === null || one.runningCount < least.runningCount ? one : least),
      null,
    )

  const open = async (slot: Slot): Promise<Connection> => {
    try {
      const connection = await openConnection(where, { pipeline: true })
      if (lockTimeoutMs !== null) connection.limitLockWaits(lockTimeoutMs)
      slot.connection = connection
      onAttempt(true)
      return connection
    } catch (error) {
      onAttempt(false)
      throw error
    } finally {
      slot.opening = null
    }
  }

  const connectionOf = async (slot: Slot): Promise<Connection> => {
    if (slot.connection?.isUsable === true) return slot.connection
    try {
      return await (slot.opening ??= open(slot))
    } catch (error) {
      // A server that has reached its limit of connections still serves those that are open.
      const other = leastBusy(slots.filter(({ connection }) => connection?.isUsable === true))
      if (other?.connection == null) throw error
      return other.connection
    }
  }

  return {
    run: async (start) => {
      if (isClosed) throw connectionLost()
      const slot = leastBusy(slots) as Slot
      slot.runningCount += 1
      try {
        return await start(await connectionOf(slot))
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
