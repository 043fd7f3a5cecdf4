import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkDecodable,
  isEncoded,
  longestCredibleSeconds,
  type MediaPlan,
  type Probe,
} from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import type { InFlightUploads } from '../../../library/files/media/in-flight-uploads.ts'
import { retireSuperseded } from '../../../library/files/media/garbage-list.ts'
import { enqueueLadder } from '../../../library/files/queue/encode-queue.ts'
import type { FileJob } from '../../../library/files/queue/file-jobs.ts'
import { renditionsOf } from '../../../library/files/record/media-file-store.ts'
import { allOf } from '../../../platform/base/concurrency/all-of.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import { encodeRenditions } from '../encode/encode-renditions.ts'
import { explainEmptyRun } from '../encode/explain-empty-run.ts'
import { clearHiddenRenditions } from '../encode/hidden-renditions.ts'
import { readEncodeSettings } from '../../renditions/encode-settings.ts'
import { drawMissingStoryboard, markFinished } from '../processing/end-processing.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import { isOver, lockWanted, lockWantedInProject } from '../encode/file-progress.ts'
import { listOnDemand, planOnDemand, type UnlistedRungs } from '../on-demand/list-on-demand.ts'
import { makePoster } from '../pictures/make-poster.ts'
import { claimedSeconds } from '../processing/missing-end.ts'
import { packageSource } from '../processing/package-source.ts'
import { normalizeLoudness } from '../encode/normalize-loudness.ts'
import { settleLength } from '../processing/settle-length.ts'
import { changesOf, planEncodes } from '../../renditions/plan-source.ts'
import { readSourceCaptions } from '../captions/read-source-captions.ts'
import { setClosedCaptions } from '../../renditions/rendition-store.ts'
import { scanClosedCaptions } from '../captions/scan-closed-captions.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { runFileJob } from '../processing/run-file-job.ts'

export interface ProcessDependencies extends FileJobDependencies {
  readonly jobs: Jobs
  readonly inFlightUploads: InFlightUploads
  readonly maxDurationSeconds: number
}

/** Share of EncodingProgress of the first step when a ladder follows. */
const firstStepPercent = 30

/**
 * Makes an uploaded source playable: serves it by passthrough if possible, remuxes it if only the container
 * prevents that, or else encodes the lowest rung, which plays while in progress. Then it takes poster and
 * captions, and lists the other rungs or queues the ladder job.
 */
export const createProcessFileHandler =
  (dependencies: ProcessDependencies) =>
  (job: FileJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> =>
    runFileJob(dependencies, job, signal, attempt, async (run) => {
      const { blobs } = dependencies
      const { file, source } = run
      if (source === null || isOver(file)) return
      await blobs.withLocalFile(source.blob, (inputPath) => processSource(dependencies, run, inputPath))
    })

const processSource = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  inputPath: string,
): Promise<void> => {
  const { database } = dependencies
  const { job, file } = run
  await clearHiddenRenditions(dependencies, job)
  const settings = await readEncodeSettings(database.kysely, job)
  const { probe, movie, passthrough } = await packageSource(
    dependencies,
    run,
    { inputPath, maxSeconds: dependencies.maxDurationSeconds },
    changesOf(settings),
  )
  const plan = planEncodes(probe, passthrough, { useEncoding: file.use_encoding, ...settings })
  const source = { probe, plan, movie, inputPath }
  const { NormalizeLoudness: isNormalized, KeepOriginal: isSourceKept } = settings.settings
  await encodeFirstStep(dependencies, run, { ...source, isNormalized })
  const onDemand = hasMore(plan)
    ? await planOnDemand(dependencies, run, { ...source, mode: file.ladder_mode, isSourceKept })
    : null
  // Each takes about as long, half of which is the start of a process.
  const [isListed, drawn] = await allOf([
    onDemand !== null && inOwnFolder(run, 'rungs', (own) => tryToList(dependencies, own, onDemand)),
    onDemand === null && hasMore(plan)
      ? null
      : drawMissingStoryboard(dependencies, { ...run, sourceProbe: probe }),
    inOwnFolder(run, 'poster', (own) => takePoster(dependencies, own, source)),
    inOwnFolder(run, 'captions', (own) => takeCaptions(dependencies, own, source)),
  ])
  if (isListed || !hasMore(plan))
    await markFinished(dependencies, job, { claimedSeconds: claimedSeconds(probe, movie), drawn })
  else
    await enqueueLadder(database, dependencies.jobs, job, {
      isLater: plan.ladder.length === 0,
      key: `${job.fileId}.${job.revision}`,
    })
}

/** Media processes that run at the same time must not reach the files of each other. */
const inOwnFolder = async <T>(
  run: FileJobRun,
  name: string,
  work: (run: FileJobRun) => Promise<T>,
): Promise<T> => {
  const workFolder = join(run.workFolder, name)
  await mkdir(workFolder)
  return work({ ...run, workFolder })
}

const hasMore = ({ ladder, moreCodecs }: MediaPlan): boolean => ladder.length + moreCodecs.length > 0

interface Source {
  readonly probe: Probe
  readonly plan: MediaPlan
  /** Index of the source; null when it has none that Zoetrope reads. */
  readonly movie: Movie | null
  readonly inputPath: string
}

const encodeFirstStep = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  step: Source & { readonly isNormalized: boolean },
): Promise<void> => {
  const { database } = dependencies
  const { job, signal, workFolder } = run
  const { probe, plan, inputPath } = step
  const rungs = plan.firstRung === null ? [] : [plan.firstRung]
  const encodedAudio = plan.audio.filter(isEncoded)
  // Limits the output: a few frames years apart would otherwise keep an encoder busy up to the configured
  // maximum.
  const maxSeconds = Math.min(dependencies.maxDurationSeconds, longestCredibleSeconds(probe.sizeBytes))
  const includeAudio = encodedAudio.length > 0
  const encoded = new Set(
    (await renditionsOf(database.kysely, job.fileId, job.revision))
      .filter(isCompletePackaged)
      .map(({ name }) => name),
  )
  const isMissing = [...rungs, ...encodedAudio].some(({ name }) => !encoded.has(name))
  if (!isMissing && encoded.size > 0)
    await database.transaction(async (tx) =>
      retireSuperseded(tx, await lockWantedInProject(tx, job), job.revision),
    )
  if (isMissing) {
    const percent = hasMore(plan) ? firstStepPercent : 100
    const explain = (whileRunning: AbortSignal): Promise<void> =>
      checkDecodable(inputPath, probe, {
        signal: whileRunning,
        isVideoCopied: plan.firstRung === null,
        copiedAudio: plan.audio.filter((audio) => !isEncoded(audio)).map(({ streamIndex }) => streamIndex),
      })
    await explainEmptyRun(signal, explain, async ({ signal: whileReadable, onBegun }) =>
      encodeRenditions(dependencies, {
        job,
        probe,
        plan: step.isNormalized
          ? await normalizeLoudness(plan, inputPath, { workFolder, signal: whileReadable, maxSeconds })
          : plan,
        rungs,
        includeAudio,
        inputPath,
        workFolder,
        isProgressive: !run.isPendingRevision,
        maxSeconds,
        signal: whileReadable,
        onBegun,
        onProgress: (doneSeconds) =>
          run.report((percent * doneSeconds) / (plan.durationSeconds ?? Infinity), {
            isMoreToFollow: percent < 100,
          }),
      }),
    )
  }
  if (rungs.length > 0 || includeAudio) await settleLength(dependencies, job)
}

/** Returns false for a source whose first frame cannot be encoded alone. A whole encode continues after such errors. */
const tryToList = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  rungs: UnlistedRungs,
): Promise<boolean> => {
  try {
    await listOnDemand(dependencies, run, rungs)
    return true
  } catch (error) {
    if (run.signal.aborted || !isFaultOfMedia(error)) throw error
    run.warn('rungs are encoded at once, because they cannot be listed', error)
    return false
  }
}

/** A source without a poster still plays. */
const takePoster = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  { probe, movie, inputPath }: Source,
): Promise<void> => {
  const { job, file, workFolder, signal } = run
  if (probe.video === null && probe.cover === undefined) return
  await makePoster(dependencies, { job, file, probe, movie, inputPath, workFolder, signal }).catch(
    (error: unknown) => {
      if (signal.aborted || !isFaultOfMedia(error)) throw error
      run.warn('no poster', error)
    },
  )
}

const takeCaptions = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  { probe, inputPath }: Source,
): Promise<void> => {
  const { job } = run
  const closedCaptions = await scanClosedCaptions(inputPath, probe, run)
  if (closedCaptions !== null)
    await dependencies.database.transaction(async (tx) => {
      // `listOnDemand` copies the value to its rungs: before this lock, or after the commit.
      await lockWanted(tx, job)
      await setClosedCaptions(tx, job, closedCaptions.pairs.length > 0 || closedCaptions.hasOther)
    })
  await readSourceCaptions(dependencies, run, { probe, inputPath, closedCaptions })
}

const isCompletePackaged = ({ state, delivery }: { state: string; delivery: string }): boolean =>
  state === 'complete' && delivery === 'packaged'
