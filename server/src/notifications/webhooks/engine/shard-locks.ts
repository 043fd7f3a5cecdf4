import { setTimeout as delay } from 'node:timers/promises'
import { connectionLost, openConnection, type Connection } from '../../../platform/db/driver/connection.ts'
import type { ConnectionOptions } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'

/** At most this many processes can deliver at a time. */
export const shardCount = 256

/**
 * Processes own neighbouring shards; this step spreads the consecutive ids of webhooks over all of them. It
 * is 1 modulo `formerShardCount`, so all webhooks of a shard have the same former shard.
 */
export const shardStep = 161

/** Returns the shard of a webhook, which never changes. At most one process owns a shard at a time. */
export const shardOf = (webhookId: number): number => (webhookId * shardStep) % shardCount

/** Arbitrary constant; nothing else may take two-part advisory locks of this class. */
export const lockClass = 7_304_104
/**
 * Version 0.1 had 16 shards and locked them exclusively in this class. During a rolling upgrade, a process of
 * this version owns no shard whose webhooks such a process may be sending to.
 */
const formerLockClass = 7_304_101
const formerShardCount = 16
/**
 * Each delivering process of either version holds this lock of the former class in shared mode, so that the
 * processes can count each other.
 */
const memberKey = formerShardCount
const tickMs = 1_000
/** A connection without an answer for this long counts as lost; the server may take longer to notice. */
const answerTimeoutMs = 5_000

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

export interface ShardLocks {
  readonly held: () => ReadonlySet<number>
  readonly close: () => Promise<void>
}

export interface ShardLockOptions {
  readonly connection: ConnectionOptions
  readonly log: Log
  /** Called when the connection and its locks are lost; another process may already hold them. */
  readonly onLost: () => void
  /** Resolves when the shard has no requests in flight; its lock is held until then. */
  readonly drain: (shard: number) => Promise<void>
}

/**
 * Takes a fair share of the shards by session-level advisory locks on a dedicated connection: PostgreSQL
 * releases them however the process dies. Resolves after the first round.
 */
export const startShardLocks = async (options: ShardLockOptions): Promise<ShardLocks> => {
  const { log } = options
  const held = new Set<number>()
  /** No longer owned, but still locked. */
  const draining = new Set<number>()
  /** Former shards that no process of version 0.1 owns, nor can take. */
  const freed = new Set<number>()
  const stopping = new AbortController()
  let session: Connection | null = null
  let opening: Promise<Connection> | null = null

  const lose = (lost: Connection): void => {
    if (session !== lost) return
    session = null
    const hadShards = held.size > 0
    held.clear()
    freed.clear()
    lost.discard()
    if (hadShards && !stopping.signal.aborted) {
      log.warn('lost the connection that locks the webhook shards')
      options.onLost()
    }
  }

  const connect = async (): Promise<Connection> => {
    const opened = await openConnection(options.connection, {
      name: 'zoetrope-deliveries',
      pipeline: true,
    })
    if (stopping.signal.aborted) {
      opened.discard()
      throw connectionLost()
    }
    session = opened
    opened.onceEnded(() => lose(opened))
    // Lets the server notice a dead machine within half a minute; has no effect on a Unix socket.
    await opened.query(
      `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
        set_config('tcp_keepalives_count', '3', false), pg_advisory_lock_shared($1, $2)`,
      [formerLockClass, memberKey],
    )
    return opened
  }

  const open = (): Promise<Connection> =>
    (opening ??= connect().finally(() => {
      opening = null
    }))

  const fairShare = async (connection: Connection): Promise<number> => {
    const [row] = await connection.rows<{ members: number }>(
      `select count(*)::int as members from pg_locks
      where locktype = 'advisory' and objsubid = 2 and granted and classid = $1 and objid = $2
        and database = (select oid from pg_database where datname = current_database())`,
      [formerLockClass, memberKey],
    )
    return Math.ceil(shardCount / Math.max(1, row?.members ?? 1))
  }

  const takeFormer = async (connection: Connection): Promise<void> => {
    const missing = range(formerShardCount).filter((shard) => !freed.has(shard))
    if (missing.length === 0) return
    const rows = await connection.rows<{ shard: number }>(
      'select shard from unnest($2::int[]) shard where pg_try_advisory_lock_shared($1, shard)',
      [formerLockClass, missing],
    )
    if (session === connection) for (const { shard } of rows) freed.add(shard)
  }

  const takeFree = async (connection: Connection, share: number): Promise<void> => {
    const count = share - held.size
    if (count <= 0) return
    await takeFormer(connection)
    const free = range(shardCount).filter(
      (shard) => freed.has(shard % formerShardCount) && !held.has(shard) && !draining.has(shard),
    )
    // A filter locks no row beyond the limit.
    const rows = await connection.rows<{ shard: number }>(
      'select shard from unnest($2::int[]) shard where pg_try_advisory_lock($1, shard) limit $3',
      [lockClass, free, count],
    )
    if (session === connection) for (const { shard } of rows) held.add(shard)
  }

  /** Takes as long as the requests in flight, so callers do not await it. */
  const giveBack = async (connection: Connection, shard: number): Promise<void> => {
    held.delete(shard)
    draining.add(shard)
    try {
      await options.drain(shard)
      if (session === connection)
        await connection.query('select pg_advisory_unlock($1, $2)', [lockClass, shard])
    } catch {
      lose(connection)
    } finally {
      draining.delete(shard)
    }
  }

  const tick = async (): Promise<void> => {
    const connection = session ?? (await open())
    const share = await fairShare(connection)
    await takeFree(connection, share)
    for (const shard of [...held].slice(share)) void giveBack(connection, shard)
  }

  const guardedTick = async (): Promise<void> => {
    const timeout = new AbortController()
    try {
      await Promise.race([
        tick(),
        delay(answerTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
          throw new Error(`the database did not respond within ${answerTimeoutMs} ms`)
        }),
      ])
    } catch (error) {
      if (stopping.signal.aborted) return
      log.warn({ err: error }, 'cannot lock webhooks for their deliveries; trying again')
      if (session !== null) lose(session)
    } finally {
      timeout.abort()
    }
  }

  await guardedTick()
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await delay(tickMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await guardedTick()
    }
  })()

  return {
    held: () => held,
    close: async () => {
      stopping.abort()
      const last = session
      session = null
      held.clear()
      last?.discard()
      await loop
    },
  }
}
