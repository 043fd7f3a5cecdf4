import { probeFile } from '@zoetrope/ffmpeg'
import { enqueueLadder } from '../../../library/files/queue/encode-queue.ts'
import { revisionOf, type EncodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { renditionsOf } from '../../../library/files/record/media-file-store.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import { beginChunks, resumeChunks, type Chunking } from '../chunks/begin-chunks.ts'
import { describeOutputs } from '../chunks/describe-outputs.ts'
import { encodeChunk } from '../chunks/encode-chunk.ts'
import { withSourceRanges } from '../chunks/with-source-ranges.ts'
import { encodeRenditions } from '../encode/encode-renditions.ts'
import { readEncodeSettings } from '../../renditions/encode-settings.ts'
import { dropUnwantedChunks } from '../chunks/end-chunks.ts'
import { drawAndFinish } from '../processing/end-processing.ts'
import { isLaterStep, ladderSteps } from '../encode/ladder-steps.ts'
import { claimedSeconds } from '../processing/missing-end.ts'
import { readMovieAt } from '../processing/package-passthrough.ts'
import { planEncodes } from '../../renditions/plan-source.ts'
import { segmentStartsOf } from '../../renditions/segment-starts.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { runFileJob } from '../processing/run-file-job.ts'

export interface LadderDependencies extends FileJobDependencies {
  /** When absent, this process works alone and every step is a single run. */
  readonly chunking?: Chunking
}

const startPercent = 30

/**
 * Encodes the rest of the ladder, then the same rungs in other codecs. Each step is one ffmpeg run, or chunks
 * for all workers. Its rungs are published together while the file continues to play.
 */
export const createEncodeLadderHandler =
  (dependencies: LadderDependencies) =>
  async (job: EncodeLadderJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> => {
    try {
      await runFileJob(dependencies, job, signal, attempt, async (run) => {
        const { file, source } = run
        if (source === null || file.state !== 'playable') return
        if (job.chunk !== undefined) return encodeChunk(dependencies, run, job.chunk, attempt)
        const resumed = await resumeChunks(dependencies, run.job)
        if (resumed?.isJoined && resumed.plan.isLast)
          await drawAndFinish(dependencies, run, resumed.plan.claimedSeconds)
        if (resumed !== null) return
        await encodeLadder(dependencies, run, source.blob, job)
      })
    } finally {
      await dropUnwantedChunks(dependencies, { ...job, revision: revisionOf(job) })
    }
  }

const encodeLadder = async (
  dependencies: LadderDependencies,
  run: FileJobRun,
  sourceBlob: string,
  { isWhole, isLater }: EncodeLadderJob,
): Promise<void> => {
  const { database, blobs } = dependencies
  const chunking = isWhole ? undefined : dependencies.chunking
  const { job, file, signal, workFolder } = run
  const read = async (path: string) => {
    const probe = await probeFile(path, { signal })
    return { probe, claimed: claimedSeconds(probe, await readMovieAt(path)) }
  }
  // Chunks may be encoded elsewhere, so the rest of the source is fetched only for a single run.
  const { probe, claimed } =
    chunking === undefined
      ? await blobs.withLocalFile(sourceBlob, read)
      : await withSourceRanges((use, plan) => blobs.withLocalFile(sourceBlob, use, plan), null, run, read)
  const known = await renditionsOf(database.kysely, job.fileId, job.revision)
  const passthrough = known.filter(({ delivery }) => delivery === 'in_place')
  const plan = planEncodes(
    probe,
    {
      hasVideo: passthrough.some(({ kind }) => kind === 'video'),
      segmentStartSeconds: segmentStartsOf(passthrough.find(({ kind }) => kind === 'video')),
      // The first step has already encoded the audio.
      copiedAudio: [],
      isSourceServed: passthrough.some(({ media_blob }) => media_blob === run.source?.blob),
    },
    { useEncoding: file.use_encoding, ...(await readEncodeSettings(database.kysely, job)) },
  )
  const done = new Set(known.filter(({ state }) => state === 'complete').map(({ name }) => name))
  const steps = ladderSteps(plan)
  const percentAt = (index: number): number => startPercent + ((100 - startPercent) * index) / steps.length
  for (const [index, step] of steps.entries()) {
    const rungs = step.filter(({ name }) => !done.has(name))
    if (rungs.length === 0) continue
    if (isLaterStep(rungs) && !isLater) return goOnLater(dependencies, run, { doneCount: done.size, isWhole })
    const percent = { from: percentAt(index), to: percentAt(index + 1) }
    const isLast = index === steps.length - 1
    const wanted = { probe, plan, rungs, percent, isLast, claimedSeconds: claimed }
    if (
      chunking !== undefined &&
      (await beginChunks(dependencies, chunking, job, wanted, () =>
        describeOutputs(wanted, (use, ranges) => blobs.withLocalFile(sourceBlob, use, ranges), run).catch(
          (error: unknown) => {
            signal.throwIfAborted()
            run.warn('cannot encode the first frame for remote workers', error)
            return null
          },
        ),
      ))
    )
      return
    await blobs.withLocalFile(sourceBlob, (inputPath) =>
      encodeRenditions(dependencies, {
        job,
        probe,
        plan,
        rungs,
        includeAudio: false,
        inputPath,
        workFolder,
        isProgressive: false,
        signal,
        onProgress: (doneSeconds) =>
          run.report(
            percent.from + ((percent.to - percent.from) * doneSeconds) / (plan.durationSeconds ?? Infinity),
          ),
      }),
    )
  }
  await drawAndFinish(dependencies, run, claimed)
}

/**
 * Queues the remaining steps at lower priority. The key differs per step, because the job of the previous
 * step may still be ending.
 */
const goOnLater = (
  { database, jobs }: LadderDependencies,
  { job: { accountId, projectId, fileId, revision } }: FileJobRun,
  { doneCount, isWhole }: { readonly doneCount: number; readonly isWhole: true | undefined },
): Promise<void> =>
  enqueueLadder(
    database,
    jobs,
    { accountId, projectId, fileId, generation: revision, isLater: true, ...(isWhole && { isWhole }) },
    { isLater: true, key: `${fileId}.${revision}.later.${doneCount}` },
  )
