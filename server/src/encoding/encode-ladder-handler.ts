import { probeFile } from '@zoetrope/ffmpeg'
import type { FileJob } from '../files/file-jobs.ts'
import { renditionsOf } from '../files/media-file-store.ts'
import type { RenditionRow } from '../files/file-record.ts'
import type { JobAttempt } from '../kernel/jobs/jobs.ts'
import { encoderSettingsOf } from '../projects/project-record.ts'
import { findProject } from '../projects/project-store.ts'
import { encodeRenditions } from './encode-renditions.ts'
import { markFinished } from './end-processing.ts'
import { planEncodes } from './plan-source.ts'
import { runFileJob, type FileJobDependencies, type FileJobRun } from './run-file-job.ts'

/** Where the first step has brought EncodingProgress. */
const startPercent = 30

/** The rest of the ladder in one ffmpeg run; its rungs are swapped in together while the file goes on playing. */
export const createEncodeLadderHandler =
  (dependencies: FileJobDependencies) =>
  (job: FileJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> =>
    runFileJob(dependencies, job, signal, attempt, async (run) => {
      const { file, source } = run
      if (source === null || file.state !== 'playable') return
      await dependencies.blobs.withLocalFile(source.blob, (inputPath) =>
        encodeLadder(dependencies, run, inputPath),
      )
    })

const encodeLadder = async (
  dependencies: FileJobDependencies,
  run: FileJobRun,
  inputPath: string,
): Promise<void> => {
  const { database } = dependencies
  const { job, file, signal, workFolder } = run
  const probe = await probeFile(inputPath, { signal })
  const project = await findProject(database.kysely, job.accountId, job.projectId)
  const known = await renditionsOf(database.kysely, job.fileId, job.generation)
  const plan = planEncodes(probe, inPlaceOf(known), {
    useEncoding: file.use_encoding,
    settings: encoderSettingsOf(project),
  })
  const done = new Set(known.filter(({ state }) => state === 'complete').map(({ name }) => name))
  const rungs = plan.ladder.filter(({ name }) => !done.has(name))
  if (rungs.length > 0)
    await encodeRenditions(dependencies, {
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
        run.report(startPercent + ((100 - startPercent) * doneSeconds) / (plan.durationSeconds ?? Infinity)),
    })
  await markFinished(dependencies, job)
}

const inPlaceOf = (renditions: readonly RenditionRow[]) => {
  const has = (kind: 'video' | 'audio') =>
    renditions.some((one) => one.delivery === 'in_place' && one.kind === kind)
  return { hasVideo: has('video'), hasAudio: has('audio') }
}
