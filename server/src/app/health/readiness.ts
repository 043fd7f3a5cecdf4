import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { StorageFullError, type BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'

/** A balancer with many probes costs no more than one. */
const cacheMs = 1_000
/** Probes give up after five seconds, and a frozen database never answers. */
const patienceMs = 3_000
/**
 * All api nodes share the media storage. A short hang of it must not take every node out of its load balancer, because
 * most requests need only the database.
 */
const storageGraceMs = 15_000

/** `ok`, or why not. */
export interface Readiness {
  readonly reads: string
  readonly writes: string
  readonly isStopping: boolean
}

export interface ReadinessCheck {
  readonly check: () => Promise<Readiness>
  /** From now on the process is not ready, because it stops. */
  readonly stop: () => void
}

/** One segment of its log: PostgreSQL ends when it cannot create the next one. */
const leastDatabaseBytes = 16 * 1024 * 1024

interface Space {
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
}

/** File systems that do not know their size have no blocks. */
const isFull = ({ blocks, bavail, bsize }: Space): boolean =>
  blocks > 0 && bavail * bsize < leastDatabaseBytes

const ok = 'ok'
const isReady = ({ reads, writes }: Readiness): boolean => reads === ok && writes === ok

const withPatience = async <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

export const createReadinessCheck = (
  {
    database,
    blobs,
  }: {
    readonly database: Pick<Database, 'kysely' | 'connection' | 'checkNewConnections'>
    readonly blobs: BlobStore
  },
  log: Log,
  spaceOf: (folder: string) => Promise<Space> = statfs,
): ReadinessCheck => {
  let isStopping = false
  let last: Promise<Readiness> | null = null
  let lastAtMs = 0
  let wasReady = true
  /** Null = the storage has not responded yet. */
  let storageOkAtMs: number | null = null

  /** Logs the cause, which the answer does not show: anyone can ask. */
  const failed = (error: unknown, message: string): string => {
    if (wasReady) log.error({ err: error }, `not ready: ${message}`)
    return `unavailable: ${message}`
  }

  /** The space of an external server is not known. */
  const isDatabaseDiskFull = async (): Promise<boolean> => {
    if ('url' in database.connection) return false
    // Its socket is in the folder of the embedded server.
    const space = await spaceOf(database.connection.host).catch(() => null)
    return space !== null && isFull(space)
  }

  const checkDatabase = async (): Promise<Omit<Readiness, 'isStopping'>> => {
    try {
      const { rows } = await withPatience(
        sql<{
          isReadOnly: boolean
        }>`select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly"`.execute(
          database.kysely,
        ),
      )
      if (rows[0]?.isReadOnly === true)
        return { reads: ok, writes: failed(undefined, 'the database is read-only') }
      if (await isDatabaseDiskFull())
        return { reads: ok, writes: failed(undefined, 'the disk of the database is full') }
    } catch (error) {
      const message = failed(error, 'the database does not respond')
      return { reads: message, writes: message }
    }
    try {
      await withPatience(database.checkNewConnections())
      return { reads: ok, writes: ok }
    } catch (error) {
      // Reads share the connections that are open; a transaction needs one of its own.
      return { reads: ok, writes: failed(error, 'the database refuses new connections') }
    }
  }

  const checkStorage = async (): Promise<Omit<Readiness, 'isStopping'>> => {
    try {
      await withPatience(blobs.checkHealth())
      storageOkAtMs = performance.now()
      return { reads: ok, writes: ok }
    } catch (error) {
      if (error instanceof StorageFullError)
        return { reads: ok, writes: failed(error, 'the media storage is full') }
      const message = failed(error, 'the media storage does not respond')
      const isBrief = storageOkAtMs !== null && performance.now() - storageOkAtMs < storageGraceMs
      return { reads: isBrief ? ok : message, writes: message }
    }
  }

  const worse = (one: string, other: string): string => (one === ok ? other : one)

  const checkAll = async (): Promise<Readiness> => {
    const [data, media] = await Promise.all([checkDatabase(), checkStorage()])
    const readiness = {
      reads: worse(data.reads, media.reads),
      writes: worse(data.writes, media.writes),
      isStopping: false,
    }
    if (isReady(readiness) && !wasReady) log.info('ready again')
    wasReady = isReady(readiness)
    return readiness
  }

  return {
    check: () => {
      if (isStopping) {
        const reason = 'unavailable: the process is stopping'
        return Promise.resolve({ reads: reason, writes: reason, isStopping })
      }
      if (last === null || performance.now() - lastAtMs > cacheMs) {
        lastAtMs = performance.now()
        last = checkAll()
      }
      return last
    },
    stop: () => {
      isStopping = true
    },
  }
}
