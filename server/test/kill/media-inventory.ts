import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { makeStoryboardJob } from '../../src/files/file-jobs.ts'
import { initBlob, segmentBlob } from '../../src/files/media-blobs.ts'
import { blobPrefixOf } from '../../src/files/media-file-store.ts'
import { openDatabase } from '../../src/kernel/db/database.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation } from './installation.ts'

export interface MediaDifferences {
  /** Blobs on disk that no row names. */
  readonly orphans: string[]
  /** Blobs that a row names and that are not there. */
  readonly missing: string[]
  /** Files whose `storage_bytes` are not what lies on disk, and projects likewise. */
  readonly miscounted: string[]
}

const listFiles = async (folder: string): Promise<Map<string, number>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(files.map(async (path) => [relative(folder, path), (await stat(path)).size] as const)),
  )
}

/** A file whose encode broke off gets its storyboard by a job of its own, with blobs, bytes and one more event. */
export const waitForExtras = async (installation: Installation): Promise<void> => {
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    await waitFor(
      () => database.sql<{ count: number }[]>`
        select count(*)::int as count from pgboss.job
        where name = ${makeStoryboardJob.name} and state in ('created', 'retry', 'active')`,
      ([row]) => row?.count === 0,
    )
  } finally {
    await database.close()
  }
}

/**
 * Compares what lies below `media/blobs` with what sources, renditions and pictures of the database name. What is noted for removal goes by
 * itself and is left out.
 */
export const compareMedia = async (installation: Installation): Promise<MediaDifferences> => {
  await waitForExtras(installation)
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    const { kysely } = database
    const files = await kysely.selectFrom('media_files').selectAll().execute()
    const renditions = await kysely.selectFrom('renditions').selectAll().execute()
    const pictures = await kysely.selectFrom('file_pictures').selectAll().execute()
    const notes = (await kysely.selectFrom('discarded_media').select('blobs').execute()).flatMap(
      ({ blobs }) => blobs,
    )
    const isNoted = (key: string): boolean =>
      notes.some((noted) => (noted.endsWith('/') ? key.startsWith(noted) : key === noted))
    const projects = await kysely.selectFrom('projects').select(['id', 'storage_bytes']).execute()
    const named = new Set<string>([
      ...files.flatMap(({ source_blob }) => source_blob ?? []),
      ...files.flatMap(({ storyboard }) =>
        storyboard === null ? [] : [storyboard.sheetBlob, storyboard.stillsBlob],
      ),
      ...pictures.flatMap(({ picture_blob, thumb_blob }) => [picture_blob, thumb_blob]),
      ...renditions.flatMap(({ delivery, media_blob, segments }) =>
        delivery === 'in_place'
          ? [media_blob]
          : [
              initBlob(media_blob),
              ...(JSON.parse(segments) as unknown[]).map((_, index) => segmentBlob(media_blob, index)),
            ],
      ),
    ])
    const stored = await listFiles(join(installation.dataFolder, 'media', 'blobs'))
    const onDisk = new Map([...stored].filter(([key]) => !isNoted(key)))
    const bytesBelow = (prefix: string): number =>
      [...onDisk].reduce((sum, [key, sizeBytes]) => sum + (key.startsWith(prefix) ? sizeBytes : 0), 0)
    return {
      orphans: [...onDisk.keys()].filter((key) => !named.has(key)),
      missing: [...named].filter((key) => !stored.has(key)),
      miscounted: [
        ...files.map((file) => ({
          name: `file ${file.id}`,
          counted: file.storage_bytes,
          found: bytesBelow(
            blobPrefixOf({ accountId: file.account_id, projectId: file.project_id, fileId: file.id }),
          ),
          isLive: file.deleted_at === null,
        })),
        ...projects.map(({ id, storage_bytes }) => ({
          name: `project ${id}`,
          counted: storage_bytes,
          found: files
            .filter(({ project_id, deleted_at }) => project_id === id && deleted_at === null)
            .reduce((sum, file) => sum + file.storage_bytes, 0),
          isLive: true,
        })),
      ]
        .filter(({ counted, found, isLive }) => isLive && counted !== found)
        .map(({ name, counted, found }) => `${name}: ${counted} counted, ${found} found`),
    }
  } finally {
    await database.close()
  }
}

/** Temporary files of encodes, and staged bytes of uploads, that are on disk now. */
export const listLeftovers = async (dataFolder: string): Promise<string[]> => {
  const work = await readdir(join(dataFolder, 'work'), { recursive: true }).catch(() => [])
  const staged = await readdir(join(dataFolder, 'uploads')).catch(() => [])
  // Each worker has an empty folder of its own there.
  return [
    ...work.filter((path) => path.includes('/')).map((path) => `work/${path}`),
    ...staged.map((name) => `uploads/${name}`),
  ]
}

/** Files that a killed writer left half-written; housekeeping removes them after a day. */
export const countTemporaryBlobs = async (dataFolder: string): Promise<number> =>
  (await listFiles(join(dataFolder, 'media', 'temporary'))).size
