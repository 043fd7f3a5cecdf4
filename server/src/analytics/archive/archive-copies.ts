import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { forEachAtOnce } from '../../platform/base/concurrency/for-each-at-once.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { DuckDb } from './duckdb/duckdb.ts'
import { findReadable } from './list-archives.ts'

export interface ArchiveCopies {
  /** Returns the path of a local copy of each blob. Fetches those that this node does not have yet. */
  readonly pathsOf: (blobs: readonly string[]) => Promise<string[]>
  /** Deletes copies of archives that were erased or replaced. */
  readonly sweep: () => Promise<void>
}

/** What answers questions about archives. */
export interface ArchiveReader {
  readonly duckDb: DuckDb
  readonly copies: ArchiveCopies
}

const fetchesAtOnce = 8

/** Archives never change, so this node keeps a copy of each that it has read: a hard link where the media is on its disk. */
export const createArchiveCopies = ({
  database,
  blobs,
  folder,
}: {
  readonly database: Pick<Database, 'sql'>
  readonly blobs: BlobStore
  readonly folder: string
}): ArchiveCopies => {
  // The name of a blob has a random part, so its last part is enough: a1/views/2026-03-01-<uuid>.parquet
  const accountOf = (blob: string): string => blob.slice(0, blob.indexOf('/'))
  const pathOf = (blob: string): string => join(folder, `${accountOf(blob)}-${basename(blob)}`)
  const fetching = new Map<string, Promise<void>>()

  const fetchOne = async (blob: string): Promise<void> => {
    const path = pathOf(blob)
    const unfinished = `${path}.part`
    await rm(unfinished, { force: true })
    await blobs.withLocalFile(blob, async (source) => {
      await link(source, unfinished).catch(() => copyFile(source, unfinished))
    })
    await rename(unfinished, path)
  }

  const fetch = (blob: string): Promise<void> => {
    const running = fetching.get(blob) ?? fetchOne(blob).finally(() => fetching.delete(blob))
    fetching.set(blob, running)
    return running
  }

  return {
    pathsOf: async (asked) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const present = new Set(await readdir(folder))
      const missing = asked.filter((blob) => !present.has(basename(pathOf(blob))))
      await forEachAtOnce(missing, fetchesAtOnce, fetch)
      return asked.map(pathOf)
    },
    sweep: async () => {
      const names = await readdir(folder).catch(() => [])
      const blobOf = (name: string): string => name.replace(/^(a\d+)-/, '$1/views/')
      const readable = await findReadable(database, names.map(blobOf))
      for (const name of names)
        if (!readable.has(blobOf(name)) && !fetching.has(blobOf(name.replace(/\.part$/, ''))))
          await rm(join(folder, name), { force: true })
    },
  }
}
