import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import { initBlob, segmentBlob } from '../../../library/files/media/media-blobs.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { findMediaFile, isPurged } from '../../../library/files/record/media-file-store.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { folderOfClaim } from '../chunks/chunk-folders.ts'
import { findChunkedPlan, openChunks, type ChunkedPlan } from '../chunks/chunk-store.ts'
import { isGone, isWanted, lockWanted, setProgress } from '../encode/file-progress.ts'
import { sourceOf } from '../processing/source-of.ts'
import { askForLocal } from './ask-for-local.ts'
import { assembleResult } from './assemble-result.ts'
import { checkSegment, mostSegmentBytes, type SegmentPlan } from './check-segment.ts'
import {
  findLeased,
  leaseChunk,
  leaseSeconds,
  recordDelivered,
  releaseLease,
  renewLease,
  storeResult,
  type ChunkRow,
  type Claim,
} from './chunk-leases.ts'
import { RefusedResult } from './refused-result.ts'
import { taskFor, type RemoteJob } from './remote-task.ts'
import { countResult } from './remote-worker-store.ts'

const results = new Counter({
  name: 'zoetrope_remote_results_total',
  help: 'Chunks of remote workers that this process has accepted, refused because of their content, or got back as failed.',
  labelNames: ['result'],
})

export interface RemoteDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly publicUrl: string
  readonly log: Log
}

interface LeasedJob {
  readonly chunk: ChunkRow
  readonly plan: ChunkedPlan
}

const mediaBlobOf = ({ plan }: LeasedJob, rendition: number): string =>
  plan.renditions[rendition]?.mediaBlob ?? ''

const lost = (): Problem => new Problem('worker_job_lost')

const ownerOf = ({ account_id, file_id, generation }: ChunkRow) => ({
  ...{ accountId: account_id, fileId: file_id, revision: generation },
})

/** Returns the file; null when it is deleted or makes another revision now. */
const findWanted = async (
  queryable: Queryable,
  { account_id: accountId, file_id: fileId, generation }: ChunkRow,
): Promise<MediaFileRow | null> => {
  const file = await findMediaFile(queryable, { accountId, fileId }).catch((error: unknown) => {
    if (isGone(error)) return null
    throw error
  })
  if (file === null) return null
  return isWanted({ accountId, fileId, projectId: file.project_id, generation }, file) ? file : null
}

/** What the api does for remote workers. All state is in the database, so each request may reach another node. */
export const createRemoteJobs = (dependencies: RemoteDependencies) => {
  const { database, blobs, jobs, log } = dependencies
  const plans = new LRUCache<string, ChunkedPlan>({ max: 200 })

  const giveBack = (claim: Claim): Promise<void> =>
    database.transaction(async (tx) => {
      const chunk = await releaseLease(tx, claim)
      if (chunk !== null) await askForLocal(tx, jobs, chunk, chunk.number)
    })

  const leased = async (claim: Claim): Promise<LeasedJob> => {
    const chunk = await findLeased(database.kysely, claim)
    const plan = plans.get(claim.claim) ?? (chunk && (await findChunkedPlan(database.kysely, ownerOf(chunk))))
    if (chunk === null || plan === null) throw lost()
    plans.set(claim.claim, plan)
    return { chunk, plan }
  }

  const segmentPlanOf = ({ chunk, plan }: LeasedJob, rendition: number): SegmentPlan => {
    const [rung, track, part] = [plan.rungs[rendition], plan.tracks?.[rendition], plan.chunks[chunk.number]]
    if (rung === undefined || track === undefined || part === undefined)
      throw new RefusedResult(`The job has no rendition ${rendition}.`)
    return {
      plan: plan.plan,
      rung,
      chunk: part,
      timescale: track.track.timescale,
      mostFrames: mostFramesOf(plan),
    }
  }

  /** Takes the job back when the result is refused, so that another worker gets it. */
  const refusing = async <T>(claim: Claim, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RefusedResult)) throw error
      log.warn({ workerId: claim.workerId, err: error }, 'refused the result of a remote worker')
      results.inc({ result: 'refused' })
      await giveBack(claim)
      if (error.isFaultOfWorker) await countResult(database.kysely, claim.workerId, error.message)
      throw new Problem('worker_result_refused', { detail: error.message }, { cause: error })
    }
  }

  return {
    claim: async (workerId: number): Promise<RemoteJob | null> => {
      const chunk = await leaseChunk(database, workerId)
      if (chunk === null) return null
      const claim = { claim: chunk.claim ?? '', workerId }
      const [plan, file] = [
        await findChunkedPlan(database.kysely, ownerOf(chunk)),
        await findWanted(database.kysely, chunk),
      ]
      const source = file && sourceOf(file)
      const task = plan === null ? null : taskFor(plan, chunk.number)
      if (plan === null || source === null || task === null) {
        await giveBack(claim)
        return null
      }
      return {
        Claim: claim.claim,
        LeaseSeconds: leaseSeconds,
        Source: { Etag: etagOf(source.blob), SizeBytes: source.sizeBytes },
        InitHashes: (plan.tracks ?? []).map(({ initSegmentHash }) => initSegmentHash),
        Task: task as RemoteJob['Task'],
      }
    },

    /** Returns false when the worker should stop. */
    renew: async (claim: Claim, doneSeconds: number): Promise<boolean> => {
      if (!(await renewLease(database.kysely, claim, doneSeconds))) return false
      const { chunk, plan } = await leased(claim)
      const file = await findWanted(database.kysely, chunk)
      if (file === null) {
        await giveBack(claim)
        return false
      }
      await reportProgress(dependencies, file, chunk, plan).catch((error: unknown) => {
        if (!isGone(error)) log.warn({ err: error }, 'cannot store encoding progress')
      })
      return true
    },

    /** Returns the source of the job, for reads of ranges. */
    source: async (
      claim: Claim,
      etag: string | undefined,
    ): Promise<{ readonly blob: string; readonly sizeBytes: number }> => {
      const { chunk } = await leased(claim)
      const file = await findWanted(database.kysely, chunk)
      const source = file && sourceOf(file)
      if (source === null || etagOf(source.blob) !== etag) throw lost()
      return source
    },

    mostBytes: (claim: Claim, rendition: number, index: number): Promise<number> =>
      refusing(claim, async () => mostSegmentBytes(segmentPlanOf(await leased(claim), rendition), index)),

    deliver: (claim: Claim, rendition: number, index: number, bytes: Buffer): Promise<void> =>
      refusing(claim, async () => {
        const job = await leased(claim)
        const segment = checkSegment(segmentPlanOf(job, rendition), index, bytes)
        if (!(await recordDelivered(database.kysely, claim, `${rendition}/${index}`, segment))) throw lost()
        const mediaBlob = mediaBlobOf(job, rendition)
        await blobs.put(segmentBlob(folderOfClaim(mediaBlob, job.chunk), index), bytes)
        if ((await findLeased(database.kysely, claim)) !== null) return
        log.warn(
          { workerId: claim.workerId, mediaBlob, index },
          'stored a segment after the end of its lease',
        )
        if (await isPurged(database.kysely, job.chunk.file_id)) await blobs.deletePrefix(`${mediaBlob}/`)
        throw lost()
      }),

    finish: (claim: Claim): Promise<void> =>
      refusing(claim, async () => {
        const job = await leased(claim)
        const result = assembleResult(job.plan, job.chunk)
        for (const { output, index, sizeBytes } of result.stored) {
          const key = segmentBlob(folderOfClaim(mediaBlobOf(job, output), job.chunk), index)
          if ((await blobs.stat(key))?.sizeBytes !== sizeBytes) throw lost()
        }
        // All chunks share the init segment of the first one.
        if (job.chunk.number === 0)
          for (const [output, { initSegment }] of (job.plan.tracks ?? []).entries())
            await blobs.put(
              initBlob(folderOfClaim(mediaBlobOf(job, output), job.chunk)),
              Buffer.from(initSegment, 'base64'),
            )
        await database
          .transaction((tx) => storeAndGoOn(tx, jobs, claim, result))
          .catch((error: unknown) => {
            throw isGone(error) ? lost() : error
          })
        results.inc({ result: 'accepted' })
        await countResult(database.kysely, claim.workerId, null)
      }),

    fail: async (
      claim: Claim,
      { reason, isSourceAtFault }: { reason: string; isSourceAtFault: boolean },
    ): Promise<void> => {
      const { chunk } = await leased(claim)
      log.warn({ workerId: claim.workerId, fileId: chunk.file_id, reason }, 'a remote worker has failed')
      results.inc({ result: 'failed' })
      await giveBack(claim)
      if (!isSourceAtFault) await countResult(database.kysely, claim.workerId, reason)
    },

    release: (claim: Claim): Promise<void> => giveBack(claim),
  }
}

/** Blobs are never changed, so the key names the content. */
const etagOf = (blob: string): string => `"${createHash('sha256').update(blob).digest('hex').slice(0, 32)}"`

/** The last chunk takes what is left. Headers state durations with errors of a few frames. */
const mostFramesOf = ({ plan, durationSeconds }: ChunkedPlan): number => {
  const { numerator, denominator } = plan.frameRate ?? { numerator: 1, denominator: 1 }
  return Math.ceil(((durationSeconds * 1.05 + 10) * numerator) / denominator)
}

const storeAndGoOn = async (
  tx: Tx,
  jobs: Jobs,
  claim: Claim,
  result: ReturnType<typeof assembleResult>,
): Promise<void> => {
  const found = await findLeased(tx, claim)
  if (found === null) throw lost()
  const { project_id: projectId } = await tx
    .selectFrom('media_files')
    .select('project_id')
    .where('account_id', '=', found.account_id)
    .where('id', '=', found.file_id)
    .executeTakeFirstOrThrow()
  // Chunks finish one after the other, so exactly one of them is the last.
  await lockWanted(tx, {
    ...{ accountId: found.account_id, projectId, fileId: found.file_id, generation: found.generation },
  })
  const chunk = await findLeased(tx, claim)
  if (chunk === null) throw lost()
  await storeResult(tx, chunk, result)
  if ((await openChunks(tx, ownerOf(chunk))).length === 0) await askForLocal(tx, jobs, chunk, null)
}

const reportProgress = async (
  { database, publicUrl }: RemoteDependencies,
  file: MediaFileRow,
  chunk: ChunkRow,
  { percent, durationSeconds }: ChunkedPlan,
): Promise<void> => {
  const rows = await database.kysely
    .selectFrom('encode_chunks')
    .select('done_seconds')
    .where('account_id', '=', chunk.account_id)
    .where('file_id', '=', chunk.file_id)
    .where('generation', '=', chunk.generation)
    .execute()
  const doneSeconds = rows.reduce((sum, { done_seconds }) => sum + done_seconds, 0)
  const reached = percent.from + ((percent.to - percent.from) * doneSeconds) / durationSeconds
  if (Math.floor(reached) <= file.encoding_progress) return
  const job = { accountId: file.account_id, projectId: file.project_id, fileId: file.id }
  await setProgress(
    database,
    publicUrl,
    { ...job, generation: chunk.generation },
    { percent: reached, readyAt: file.estimated_ready_at },
  )
}
