import { SupersededError } from '../encode/file-progress.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { storeInBlobs } from '../encode/store-in-blobs.ts'
import { folderOfClaim, type ChunkClaim } from './chunk-folders.ts'
import { holdsClaim, storeDoneSeconds, type ChunkedPlan } from './chunk-store.ts'
import type { ChunkAccess } from './run-chunk.ts'

const progressIntervalMs = 2_000

/** Gives a chunk access by the database and the blob store. Throws SupersededError when another run has claimed it. */
export const openLocalChunkAccess = async (
  { database, blobs }: FileJobDependencies,
  { job, report }: FileJobRun,
  { renditions, percent, durationSeconds }: ChunkedPlan,
  claimed: ChunkClaim & { readonly claim: string; readonly sourceBlob: string },
): Promise<ChunkAccess> => {
  const { number, claim, sourceBlob } = claimed
  const checkClaim = async (): Promise<void> => {
    if (!(await holdsClaim(database.kysely, job, number, claim))) throw new SupersededError(job)
  }
  const folders = renditions.map(({ mediaBlob }) => folderOfClaim(mediaBlob, claimed))
  let reportedAtMs = performance.now()
  const storeProgress = async (doneSeconds: number): Promise<void> => {
    const total = await storeDoneSeconds(database.kysely, job, number, { claim, doneSeconds })
    report(percent.from + ((percent.to - percent.from) * total) / durationSeconds)
  }
  await storeProgress(0)
  return {
    ...storeInBlobs(blobs, folders, checkClaim),
    withInput: (use, plan) => blobs.withLocalFile(sourceBlob, use, plan),
    report: (doneSeconds) => {
      if (performance.now() - reportedAtMs < progressIntervalMs) return
      reportedAtMs = performance.now()
      // A lost progress update does no harm.
      storeProgress(doneSeconds).catch(() => {})
    },
  }
}
