import { join } from 'node:path'
import {
  checkDecodable,
  MediaError,
  planRenditions,
  probeFile,
  remuxArguments,
  runFfmpeg,
  type MediaPlan,
  type Probe,
} from '@zoetrope/ffmpeg'
import { openFileReader, type Movie } from '@zoetrope/isobmff'
import { encodeLadderJob, type FileJob } from '../files/file-jobs.ts'
import { remuxBlob } from '../files/media-blobs.ts'
import { blobPrefixOf, renditionsOf } from '../files/media-file-store.ts'
import type { JobAttempt, Jobs } from '../kernel/jobs/jobs.ts'
import { encoderSettingsOf } from '../projects/project-record.ts'
import { findProject } from '../projects/project-store.ts'
import { clearHiddenRenditions, encodeRenditions } from './encode-renditions.ts'
import { markFinished } from './end-processing.ts'
import { addStorage, isOver, markEncoding, markPlayable, markUploaded } from './file-progress.ts'
import { makePoster } from './make-poster.ts'
import {
  planEncodes,
  planTracksInPlace,
  propertiesOf,
  readMovieOrNull,
  isWorthRemuxing,
  type InPlaceTracks,
} from './plan-source.ts'
import { insertInPlaceRendition } from './rendition-store.ts'
import { runFileJob, type FileJobDependencies, type FileJobRun } from './run-file-job.ts'

export interface ProcessDependencies extends FileJobDependencies {
  readonly jobs: Jobs
  readonly maxDurationSeconds: number
}

/** The first step's share of EncodingProgress where a ladder follows. */
const firstStepPercent = 30

/**
 * From the last byte to something that plays (design.md section 4): probe; serve in place what can be; remux what only its container keeps from
 * it; else encode the lowest rung, which plays while it grows. Then poster, then the ladder's job.
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
  const { job, file, signal } = run
  await clearHiddenRenditions(dependencies, job)
  const [probe, movie] = await Promise.all([probeFile(inputPath, { signal }), readMovieAt(inputPath)])
  checkDuration(probe, dependencies.maxDurationSeconds)
  const project = await findProject(database.kysely, job.accountId, job.projectId)
  const settings = encoderSettingsOf(project)

  const tracks = await packageInPlace(dependencies, run, { probe, movie, inputPath })
  const inPlace = { hasVideo: tracks.video !== null, hasAudio: tracks.audio !== null }
  const plan = planEncodes(probe, inPlace, { useEncoding: file.use_encoding, settings })
  await finishFirstStep(dependencies, run, { probe, plan, inputPath })

  if (plan.ladder.length > 0)
    await dependencies.jobs.enqueue(database.kysely, encodeLadderJob, job, {
      priority: file.encoding_priority,
      key: `${job.fileId}.${job.generation}`,
    })
  else await markFinished(dependencies, job)
}

const readMovieAt = async (path: string): Promise<Movie | null> => {
  await using reader = await openFileReader(path)
  // Awaited here: the reader is closed when this function returns.
  return await readMovieOrNull(reader)
}

const checkDuration = (probe: Probe, maxSeconds: number): void => {
  if (probe.durationSeconds !== null && probe.durationSeconds > maxSeconds)
    throw new MediaError(
      'too_long',
      `The file is longer than the ${maxSeconds / 3600} hours that are processed.`,
    )
}

interface Source {
  readonly probe: Probe
  readonly movie: Movie | null
  readonly inputPath: string
}

/** Lists what plays without encoding; the file is playable when nothing else is needed. */
const packageInPlace = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  source: Source,
): Promise<InPlaceTracks> => {
  const { database, publicUrl } = dependencies
  const { job } = run
  const { probe } = source
  const bytes = run.source ?? { blob: '', sizeBytes: 0 }
  const known = await renditionsOf(database.kysely, job.fileId, job.generation)
  const direct = planTracksInPlace(source.movie, probe)
  const inPlace = known.find(
    ({ delivery, media_blob }) => delivery === 'in_place' && media_blob !== bytes.blob,
  )
  const remuxKey = inPlace?.media_blob ?? remuxBlob(blobPrefixOf(job), job.generation)
  const remuxed = isWorthRemuxing(probe, direct, source.movie)
    ? await remux(dependencies, run, source, remuxKey)
    : null
  const tracks = remuxed?.tracks ?? direct
  const mediaBlob = remuxed?.blob ?? bytes.blob
  const isWhole =
    (probe.video === null || tracks.video !== null) && (probe.audio.length === 0 || tracks.audio !== null)
  const isListed = (kind: string): boolean =>
    known.some((one) => one.delivery === 'in_place' && one.kind === kind)
  const added = [tracks.video, tracks.audio]
    .filter((track) => track !== null)
    .filter(({ kind }) => !isListed(kind))
  await database.transaction(async (tx) => {
    // A remux counts once: when the first rendition that is cut from it is listed.
    const isRemuxNew = remuxed !== null && !known.some(({ media_blob }) => media_blob === remuxed.blob)
    if (isRemuxNew) await addStorage(tx, publicUrl, job, remuxed.sizeBytes)
    await markUploaded(
      tx,
      publicUrl,
      job,
      propertiesOf(probe, bytes.sizeBytes, durationOf(source.movie, probe)),
    )
    for (const track of added) await insertInPlaceRendition(tx, job, { mediaBlob, track })
    await markEncoding(tx, publicUrl, job)
    if (isWhole) await markPlayable(tx, publicUrl, job)
  })
  return tracks
}

const durationOf = (movie: Movie | null, probe: Probe): number | null =>
  movie !== null && movie.durationSeconds > 0 ? movie.durationSeconds : probe.durationSeconds

/** Copies the tracks into an MP4 of ours; its key is the same in each run, so that a repeated one overwrites it. Null when that cannot be played either. */
const remux = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  { probe, inputPath }: Source,
  blob: string,
): Promise<{ tracks: InPlaceTracks; blob: string; sizeBytes: number } | null> => {
  const { blobs } = dependencies
  const { signal, workFolder } = run
  const outputPath = join(workFolder, 'remux.mp4')
  const { audio } = planRenditions(probe, { isVideoCopied: true, isAudioCopied: true })
  await runFfmpeg(remuxArguments({ inputPath, outputPath, probe, audio }), {
    outputPipes: 0,
    workFolder,
    signal,
  }).done
  const tracks = planTracksInPlace(await readMovieAt(outputPath), await probeFile(outputPath, { signal }))
  if (tracks.video === null && probe.video !== null) return null
  const { sizeBytes } = await blobs.adopt(outputPath, blob)
  return { tracks, blob, sizeBytes }
}

const finishFirstStep = async (
  dependencies: ProcessDependencies,
  run: FileJobRun,
  step: { probe: Probe; plan: MediaPlan; inputPath: string },
): Promise<void> => {
  const { database } = dependencies
  const { job, signal, workFolder } = run
  const { probe, plan, inputPath } = step
  const rungs = plan.firstRung === null ? [] : [plan.firstRung]
  const includeAudio = plan.audio.action === 'encode'
  const encoded = new Set(
    (await renditionsOf(database.kysely, job.fileId, job.generation))
      .filter(isCompletePackaged)
      .map(({ name }) => name),
  )
  const isMissing = rungs.some(({ name }) => !encoded.has(name)) || (includeAudio && !encoded.has('audio'))
  if (isMissing) {
    await checkDecodable(inputPath, probe, {
      signal,
      isVideoCopied: plan.firstRung === null,
      isAudioCopied: !includeAudio,
    })
    const percent = plan.ladder.length > 0 ? firstStepPercent : 100
    await encodeRenditions(dependencies, {
      job,
      probe,
      plan,
      rungs,
      includeAudio,
      inputPath,
      workFolder,
      isProgressive: !run.isBehind,
      signal,
      onProgress: (doneSeconds) => run.report((percent * doneSeconds) / (plan.durationSeconds ?? Infinity)),
    })
  }
  // A picture is an extra: a source whose picture cannot be taken still plays.
  if (probe.video !== null)
    await makePoster(dependencies, { job, file: run.file, probe, inputPath, workFolder, signal }).catch(
      (error: unknown) => {
        if (signal.aborted || !(error instanceof MediaError)) throw error
        run.warn('no poster', error)
      },
    )
}

const isCompletePackaged = ({ state, delivery }: { state: string; delivery: string }): boolean =>
  state === 'complete' && delivery === 'packaged'
