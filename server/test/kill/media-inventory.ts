import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { makeStoryboardJob } from '../../src/library/files/queue/file-jobs.ts'
import { folderOfClaim } from '../../src/ingest/encoding/chunks/chunk-folders.ts'
import { folderOfSegment, initBlob, segmentBlob } from '../../src/library/files/media/media-blobs.ts'
import { blobPrefixOf } from '../../src/library/files/record/media-file-store.ts'
import { exactCounts } from '../../src/library/projects/project-counts.ts'
import { openDatabase, type ConnectionOptions } from '../../src/platform/db/database.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation } from './installation.ts'

export interface MediaDifferences {
  /** Blobs on disk that no row references. */
  readonly orphans: string[]
  /** Blobs that a row references and that do not exist. */
  readonly missing: string[]
  /** Files and projects whose `storage_bytes` differ from the size on disk. */
  readonly miscounted: string[]
}

const listFiles = async (folder: string): Promise<Map<string, number>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(files.map(async (path) => [relative(folder, path), (await stat(path)).size] as const)),
  )
}

/**
 * Waits for the storyboard job of a file whose encode was interrupted. That job adds blobs, bytes and one
 * more event.
 */
export const waitForExtras = async ({ connection }: Pick<Installation, 'connection'>): Promise<void> => {
  const database = openDatabase(await connection(), { maxConnections: 1 })
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

/** Compares the blobs below `media/blobs` with the database. */
export const compareMedia = async (installation: Installation): Promise<MediaDifferences> => {
  await waitForExtras(installation)
  return compareBlobs(await installation.connection(), () =>
    listFiles(join(installation.dataFolder, 'media', 'blobs')),
  )
}

/**
 * Compares stored blobs, with their sizes, with the sources, renditions and pictures in the database. Blobs in
 * the garbage list are excluded.
 */
export const compareBlobs = async (
  connection: ConnectionOptions,
  listStored: () => Promise<ReadonlyMap<string, number>>,
): Promise<MediaDifferences> => {
  const database = openDatabase(connection, { maxConnections: 1 })
  try {
    const { kysely } = database
    const files = await kysely.selectFrom('media_files').selectAll().execute()
    const renditions = await kysely.selectFrom('renditions').selectAll().execute()
    const readyChunks = await kysely
      .selectFrom('on_demand_chunks')
      .select(['rendition_id', 'number', 'attempt'])
      .where('state', '=', 'ready')
      .execute()
    const listed = await kysely.selectFrom('on_demand_renditions').select('rendition_id').execute()
    const isListed = (id: number): boolean => listed.some(({ rendition_id }) => rendition_id === id)
    const madeOnDemand = ({ id, media_blob }: { id: number; media_blob: string }): string[] =>
      readyChunks
        .filter(({ rendition_id }) => rendition_id === id)
        .flatMap((chunk) => {
          const folder = folderOfClaim(media_blob, chunk)
          return [...(chunk.number === 0 ? [initBlob(folder)] : []), segmentBlob(folder, chunk.number)]
        })
    const pictures = await kysely.selectFrom('file_pictures').selectAll().execute()
    const garbage = (await kysely.selectFrom('discarded_media').select('blobs').execute()).flatMap(
      ({ blobs }) => blobs,
    )
    const isGarbage = (key: string): boolean =>
      garbage.some((blob) => (blob.endsWith('/') ? key.startsWith(blob) : key === blob))
    const projects = await kysely
      .selectFrom('projects')
      .select(['id', ...exactCounts])
      .execute()
    const named = new Set<string>([
      ...files.flatMap(({ source_blob }) => source_blob ?? []),
      ...files.flatMap(({ storyboard }) =>
        storyboard === null ? [] : [storyboard.sheetBlob, storyboard.stillsBlob],
      ),
      ...pictures.flatMap(({ picture_blob, thumb_blob }) => [picture_blob, thumb_blob]),
      ...renditions.flatMap((rendition) =>
        rendition.delivery === 'in_place'
          ? [rendition.media_blob]
          : isListed(rendition.id)
            ? [initBlob(rendition.media_blob), ...madeOnDemand(rendition)]
            : [
                initBlob(folderOfSegment(rendition, 0)),
                ...(JSON.parse(rendition.segments) as unknown[]).map((_, index) =>
                  segmentBlob(folderOfSegment(rendition, index), index),
                ),
              ],
      ),
    ])
    const stored = await listStored()
    const onDisk = new Map([...stored].filter(([key]) => !isGarbage(key)))
    // An init segment counts from the first segment of its rung on.
    const uncounted = new Set(
      renditions
        .filter(({ state, size_bytes }) => state === 'on_demand' && size_bytes === 0)
        .map(({ media_blob }) => initBlob(media_blob)),
    )
    const bytesBelow = (prefix: string): number =>
      [...onDisk].reduce(
        (sum, [key, sizeBytes]) => sum + (key.startsWith(prefix) && !uncounted.has(key) ? sizeBytes : 0),
        0,
      )
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

/** Lists the temporary files of encodes and the staged bytes of uploads that are on disk now. */
export const listLeftovers = async (dataFolder: string): Promise<string[]> => {
  const work = await readdir(join(dataFolder, 'work'), { recursive: true }).catch(() => [])
  const staged = await readdir(join(dataFolder, 'uploads')).catch(() => [])
  // Each worker has an empty folder there.
  return [
    ...work.filter((path) => path.includes('/')).map((path) => `work/${path}`),
    ...staged.map((name) => `uploads/${name}`),
  ]
}

/** Counts the partial files of a killed writer. Housekeeping removes them after a day. */
export const countTemporaryBlobs = async (dataFolder: string): Promise<number> =>
  (await listFiles(join(dataFolder, 'media', 'temporary'))).size
