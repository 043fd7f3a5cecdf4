import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { sweepFolder } from '../../platform/blobs/durable-files.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { createArchiveCopies, type ArchiveReader } from './archive-copies.ts'
import { checkDuckDb, createDuckDb, type DuckDb } from './duckdb/duckdb.ts'
import type { ArchiveWriter } from './write-archive.ts'

export interface ArchiveOptions {
  readonly database: Database
  readonly blobs: BlobStore
  readonly log: Log
  readonly config: { readonly dataFolder: string; readonly analyticsMemoryBytes: number }
}

const mostThreads = 4
const sweepEveryMs = 3_600_000
const abandonedMs = 24 * 3_600_000
/** Writing a day of millions of views takes minutes. */
const writeTimeoutMs = 30 * 60_000

/** Throws a StartupError when DuckDB does not run here. */
const openDuckDb = async (
  { config, log }: ArchiveOptions,
  options: { readonly timeoutMs?: number },
): Promise<{ readonly duckDb: DuckDb; readonly close: () => Promise<void> }> => {
  const parent = join(config.dataFolder, 'analytics', 'temporary')
  await sweepFolder(parent, abandonedMs)
  const temporaryFolder = join(parent, randomUUID())
  const duckDb = createDuckDb({
    ...options,
    log,
    temporaryFolder,
    memoryMegabytes: Math.floor(config.analyticsMemoryBytes / 1e6),
    threads: Math.min(mostThreads, availableParallelism()),
  })
  await checkDuckDb(duckDb)
  return {
    duckDb,
    close: async () => {
      await duckDb.close()
      await rm(temporaryFolder, { recursive: true, force: true })
    },
  }
}

/** For api processes. */
export const openArchiveReader = async (
  options: ArchiveOptions,
): Promise<ArchiveReader & { readonly close: () => Promise<void> }> => {
  const { duckDb, close } = await openDuckDb(options, {})
  const { database, blobs, log, config } = options
  const copies = createArchiveCopies({
    database,
    blobs,
    folder: join(config.dataFolder, 'analytics', 'copies'),
  })
  const timer = setInterval(() => {
    copies.sweep().catch((error: unknown) => log.warn({ err: error }, 'cannot clean up copies of archives'))
  }, sweepEveryMs)
  return {
    duckDb,
    copies,
    close: async () => {
      clearInterval(timer)
      await close()
    },
  }
}

/** For workers. */
export const openArchiveWriter = async (
  options: ArchiveOptions,
): Promise<ArchiveWriter & { readonly close: () => Promise<void> }> => {
  const { duckDb, close } = await openDuckDb(options, { timeoutMs: writeTimeoutMs })
  const { database, blobs, config } = options
  return { database, blobs, duckDb, workFolder: join(config.dataFolder, 'analytics', 'writing'), close }
}
