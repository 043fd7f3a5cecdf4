import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { ConnectionOptions } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'

export const shardCount = 16

/** Returns the shard of a webhook, which never changes. At most one process owns a shard at a time. */
export const shardOf = (webhookId: number): number => webhookId % shardCount

/** Arbitrary constant; nothing else may take two-part advisory locks of this class. */
const lockClass = 7_304_101
/** Each delivering process holds this lock in shared mode, so that the processes can count each other. */
const memberKey = shardCount
const tickMs = 1_000
/** A connection without an answer for this long counts as lost; the server may take longer to notice. */
const answerTimeoutMs = 5_000

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

type Session = postgres.Sql

const connect = (connection: ConnectionOptions, onclose: () => void): Session => {
  const options = {
    max: 1,
    idle_timeout: 0,
    // By default postgres.js replaces a connection after about 45 minutes, which would silently release its
    // locks.
    max_lifetime: null,
    connect_timeout: 5,
    connection: { application_name: 'zoetrope-deliveries' },
    onclose,
    onnotice: () => {},
  }
  return 'url' in connection ? postgres(connection.url, options) : postgres({ ...options, ...connection })
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
  const stopping = new AbortController()
  let session: Session | null = null

  const lose = (lost: Session): void => {
    if (session !== lost) return
    session = null
    const hadShards = held.size > 0
    held.clear()
    lost.end({ timeout: 0 }).catch(() => {})
    if (hadShards && !stopping.signal.aborted) {
      log.warn('lost the connection that locks the webhook shards')
      options.onLost()
    }
  }

  const open = async (): Promise<Session> => {
    const opened: Session = connect(options.connection, () => lose(opened))
    session = opened
    // Lets the server notice a dead machine within half a minute; has no effect on a Unix socket.
    await opened`select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
      set_config('tcp_keepalives_count', '3', false), pg_advisory_lock_shared(${lockClass}, ${memberKey})`
    return opened
  }

  const fairShare = async (sql: Session): Promise<number> => {
    const [row] = await sql<{ members: number }[]>`
      select count(*)::int as members from pg_locks
      where locktype = 'advisory' and objsubid = 2 and granted and classid = ${lockClass} and objid = ${memberKey}
        and database = (select oid from pg_database where datname = current_database())`
    return Math.ceil(shardCount / Math.max(1, row?.members ?? 1))
  }

  const takeFree = async (sql: Session, share: number): Promise<void> => {
    for (let shard = 0; shard < shardCount && held.size < share; shard += 1) {
      if (held.has(shard) || draining.has(shard)) continue
      const [row] = await sql<{ isTaken: boolean }[]>`
        select pg_try_advisory_lock(${lockClass}, ${shard}) as "isTaken"`
      if (row?.isTaken === true && session === sql) held.add(shard)
    }
  }

  /** Takes as long as the requests in flight, so callers do not await it. */
  const giveBack = async (sql: Session, shard: number): Promise<void> => {
    held.delete(shard)
    draining.add(shard)
    try {
      await options.drain(shard)
      if (session === sql) await sql`select pg_advisory_unlock(${lockClass}, ${shard})`
    } catch {
      lose(sql)
    } finally {
      draining.delete(shard)
    }
  }

  const tick = async (): Promise<void> => {
    const sql = session ?? (await open())
    const share = await fairShare(sql)
    await takeFree(sql, share)
    for (const shard of [...held].slice(share)) void giveBack(sql, shard)
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
      log.warn({ err: error }, 'webhook shards')
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
      await last?.end({ timeout: 1 })
      await loop
    },
  }
}
