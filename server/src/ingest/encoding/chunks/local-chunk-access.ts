import type { EncodeChunk } from '@zoetrope/ffmpeg'
import { segmentBlob } from '../../../library/files/media/media-blobs.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { SupersededError } from '../encode/file-progress.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import type { EncodeOutput } from '../encode/run-encode.ts'
import { storeInBlobs } from '../encode/store-in-blobs.ts'
import { holdsClaim, storeDoneSeconds, type ChunkedPlan } from './chunk-store.ts'
import type { ChunkAccess } from './run-chunk.ts'

const progressIntervalMs = 2_000

export interface LocalChunkAccess extends ChunkAccess {
  /**
   * Throws when another run has overwritten a segment in the middle of a write. Segments of different encoders
   * do not fit together; a retry writes them again.
   */
  readonly checkStored: (outputs: readonly EncodeOutput[]) => Promise<void>
}

/** Gives a chunk access by the database and the blob store. Throws SupersededError when another run has claimed it. */
export const openLocalChunkAccess = async (
  { database, blobs }: FileJobDependencies,
  { job, report }: FileJobRun,
  { renditions, percent, durationSeconds }: ChunkedPlan,
  {
    number,
    chunk,
    claim,
    sourceBlob,
  }: {
    readonly number: number
    readonly chunk: EncodeChunk
    readonly claim: string
    readonly sourceBlob: string
  },
): Promise<LocalChunkAccess> => {
  const checkClaim = async (): Promise<void> => {
    if (!(await holdsClaim(database.kysely, job, number, claim))) throw new SupersededError(job)
  }
  const mediaBlobs = renditions.map(({ mediaBlob }) => mediaBlob)
  let reportedAtMs = performance.now()
  const storeProgress = async (doneSeconds: number): Promise<void> => {
    const total = await storeDoneSeconds(database.kysely, job, number, { claim, doneSeconds })
    report(percent.from + ((percent.to - percent.from) * total) / durationSeconds)
  }
  await storeProgress(0)
  return {
    ...storeInBlobs(blobs, mediaBlobs, checkClaim),
    withInput: (use, plan) => blobs.withLocalFile(sourceBlob, use, plan),
    report: (doneSeconds) => {
      if (performance.now() - reportedAtMs < progressIntervalMs) return
      reportedAtMs = performance.now()
      // A lost progress update does no harm.
      storeProgress(doneSeconds).catch(() => {})
    },
    checkStored: async (outputs) => {
      for (const [output, { segments }] of outputs.entries())
        await checkSegments(blobs, mediaBlobs[output] ?? '', {
          sizes: segments.map(({ sizeBytes }) => sizeBytes),
          firstIndex: chunk.startSegment,
          checkClaim,
        })
    },
  }
}

const checkSegments = async (
  blobs: BlobStore,
  mediaBlob: string,
  {
    sizes,
    firstIndex,
    checkClaim,
  }: {
    readonly sizes: readonly number[]
    readonly firstIndex: number
    readonly checkClaim: () => Promise<void>
  },
): Promise<void> => {
  for (const [index, sizeBytes] of sizes.entries()) {
    const key = segmentBlob(mediaBlob, firstIndex + index)
    if ((await blobs.stat(key))?.sizeBytes === sizeBytes) continue
    // If this run lost its claim, `checkClaim` throws instead.
    await checkClaim()
    throw new Error(`${key} was overwritten by another run`)
  }
}
