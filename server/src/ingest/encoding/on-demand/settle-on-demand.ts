import { measureBitRates } from '@zoetrope/packager'
import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import { changeMediaFile, lockMediaFile } from '../../../library/files/record/media-file-store.ts'
import { countInProject } from '../../../library/projects/project-counts.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { encodeSegments } from '../../renditions/rendition-store.ts'
import { chunkFoldersOf } from '../chunks/chunk-folders.ts'
import { isGone } from '../encode/file-progress.ts'
import {
  findOnDemandRendition,
  readyChunksOf,
  type OnDemandRendition,
  type ReadyChunk,
} from './on-demand-store.ts'

interface Dependencies {
  readonly database: Database
  readonly publicUrl: string
}

/** Locks the file of a rung and runs `change`. Does nothing when the rung is gone or complete. */
const withLockedFile = async (
  { database, publicUrl }: Dependencies,
  renditionId: number,
  change: (tx: Tx, found: OnDemandRendition) => Promise<{ readonly bytes: number }>,
): Promise<void> => {
  const before = await findOnDemandRendition(database.kysely, renditionId)
  if (before === null) return
  const { account_id: accountId, project_id: projectId, id: fileId } = before.file
  await database
    .transaction(async (tx) => {
      await shareProject(tx, accountId, projectId)
      const file = await lockMediaFile(tx, { accountId, fileId, projectId })
      const found = await findOnDemandRendition(tx, renditionId)
      if (found === null) return
      const { bytes } = await change(tx, found)
      await countInProject(tx, projectId, { bytes })
      await changeMediaFile(tx, publicUrl, { accountId, fileId }, () => ({
        set: { storage_bytes: file.storage_bytes + bytes },
        isByViewers: true,
      }))
    })
    .catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
}

/**
 * Adds the chunks that are ready to the record of the file and to the byte counters. A rung whose chunks are all ready becomes
 * an ordinary complete one.
 */
export const settleOnDemand = (dependencies: Dependencies, renditionId: number): Promise<void> =>
  withLockedFile(dependencies, renditionId, async (tx, { plan, rendition }) => {
    await tx
      .updateTable('on_demand_renditions')
      .set({ is_settled: true })
      .where('rendition_id', '=', renditionId)
      .execute()
    const ready = await readyChunksOf(tx, renditionId)
    const sizeBytes =
      ready.length === 0
        ? 0
        : ready.reduce((sum, { segment }) => sum + segment.sizeBytes, plan.initSegmentBytes) +
          (hasOwnInit(ready) ? plan.initSegmentBytes : 0)
    const isComplete = ready.length === plan.startFrames.length
    await tx
      .updateTable('renditions')
      .set({ size_bytes: sizeBytes, ...(isComplete && completed(ready, plan.timescale)) })
      .where('id', '=', renditionId)
      .execute()
    return { bytes: sizeBytes - rendition.size_bytes }
  })

/** A later claim of the first segment stores the init segment beside it. */
const hasOwnInit = (ready: readonly ReadyChunk[]): boolean =>
  ready.some(({ number, attempt }) => number === 0 && attempt > 1)

const completed = (ready: readonly ReadyChunk[], timescale: number) => {
  const segments = ready.map(({ segment }) => segment)
  const { peakBitsPerSecond, averageBitsPerSecond } = measureBitRates(segments, timescale)
  const folders = chunkFoldersOf(
    ready.map((chunk) => ({ ...chunk, startSegment: chunk.number, segmentCount: 1 })),
  )
  return {
    state: 'complete' as const,
    segments: encodeSegments(segments),
    peak_bits_per_second: peakBitsPerSecond,
    average_bits_per_second: averageBitsPerSecond,
    ...(folders.length > 0 && { chunk_folders: JSON.stringify(folders) }),
  }
}

/** Removes a rung that cannot be encoded. Its file plays by its other renditions. */
export const withdrawOnDemand = (dependencies: Dependencies, renditionId: number): Promise<void> =>
  withLockedFile(dependencies, renditionId, async (tx, { rendition, file }) => {
    await tx.deleteFrom('renditions').where('id', '=', renditionId).execute()
    await discardBlobs(tx, file, [`${rendition.media_blob}/`])
    return { bytes: -rendition.size_bytes }
  })

/** Housekeeping task: settles rungs whose worker ended before it did so. */
export const settleLeft = async (dependencies: Dependencies): Promise<void> => {
  const rows = await dependencies.database.kysely
    .selectFrom('on_demand_renditions')
    .select('rendition_id')
    .where('is_settled', '=', false)
    .limit(1_000)
    .execute()
  for (const { rendition_id: renditionId } of rows) await settleOnDemand(dependencies, renditionId)
}
