import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  MediaError,
  probeFile,
  runFfmpeg,
  storyboardArguments,
  storyboardLayout,
  type StoryboardLayout,
} from '@zoetrope/ffmpeg'
import { timelineStartSeconds } from '@zoetrope/packager'
import type { FileJob } from '../files/file-jobs.ts'
import { storyboardFolder } from '../files/media-blobs.ts'
import {
  blobPrefixOf,
  changeMediaFile,
  findMediaFile,
  lockMediaFile,
  renditionsOf,
} from '../files/media-file-store.ts'
import { nameBlobs, noteUnnamedBlobs } from '../files/unnamed-blobs.ts'
import { BlobNotFoundError } from '../kernel/blobs/blob-store.ts'
import type { FileStoryboard } from '../kernel/db/tables.ts'
import { countInProject, lockProject } from '../projects/project-store.ts'
import { isGone } from './file-progress.ts'
import { cleanUpAfterPurge, type FileJobDependencies } from './run-file-job.ts'
import {
  chooseRendition,
  durationOf,
  planStoryboard,
  writeKeyFrames,
  type StoryboardPlan,
} from './storyboard-frames.ts'

const storyboardLimits = { wallSeconds: 180, cpuSeconds: 120, outputFileBytes: 64 * 1024 * 1024 } as const

/**
 * Makes the storyboard of what plays, once. A video of which none can be made plays without one; what is deleted, replaced or encoded anew
 * meanwhile is not this job's any more.
 */
export const createMakeStoryboardHandler =
  (dependencies: FileJobDependencies) =>
  async (job: FileJob, signal: AbortSignal): Promise<void> => {
    const { log } = dependencies
    await mkdir(dependencies.workFolder, { recursive: true })
    const workFolder = await mkdtemp(join(dependencies.workFolder, `storyboard-${job.fileId}-`))
    try {
      await makeStoryboard(dependencies, job, { workFolder, signal })
    } catch (error) {
      if (isGone(error)) return
      if (signal.aborted || !(error instanceof MediaError || error instanceof BlobNotFoundError)) throw error
      log.warn({ fileId: job.fileId, err: error }, 'no storyboard')
    } finally {
      await rm(workFolder, { recursive: true, force: true })
      await cleanUpAfterPurge(dependencies, job)
    }
  }

interface Run {
  readonly workFolder: string
  readonly signal: AbortSignal
}

const makeStoryboard = async (dependencies: FileJobDependencies, job: FileJob, run: Run): Promise<void> => {
  const { database, blobs } = dependencies
  const file = await findMediaFile(database.kysely, job)
  if (file.generation !== job.generation || file.storyboard !== null) return
  const rendition = chooseRendition(await renditionsOf(database.kysely, file.id))
  if (rendition === null) return
  const durationSeconds = durationOf(rendition)
  const plan = planStoryboard(durationSeconds)
  const inputPath = join(run.workFolder, 'key-frames.mp4')
  if (!(await writeKeyFrames(blobs, rendition, plan, inputPath))) return
  const { sheet, stills, stillEnds, layout } = await draw(inputPath, plan, run)
  const publicId = randomUUID()
  const folder = storyboardFolder(blobPrefixOf(job), publicId)
  await storeStoryboard(dependencies, job, {
    files: { sheet, stills },
    storyboard: {
      publicId,
      sheetBlob: `${folder}sheet.jpg`,
      stillsBlob: `${folder}stills.mjpeg`,
      stillEnds,
      tileWidthPixels: layout.tile.widthPixels,
      tileHeightPixels: layout.tile.heightPixels,
      columns: layout.columns,
      intervalSeconds: plan.intervalMs / 1_000,
      durationSeconds,
      sizeBytes: sheet.length + stills.length,
    },
  })
}

interface Drawn {
  readonly sheet: Buffer
  readonly stills: Buffer
  readonly stillEnds: number[]
  readonly layout: StoryboardLayout
}

const draw = async (
  inputPath: string,
  { intervalMs, tileCount }: StoryboardPlan,
  { workFolder, signal }: Run,
): Promise<Drawn> => {
  const probe = await probeFile(inputPath, { signal })
  const sheetPath = join(workFolder, 'sheet.jpg')
  const stillsPath = join(workFolder, 'stills.mjpeg')
  const layout = storyboardLayout(probe, tileCount)
  await runFfmpeg(
    storyboardArguments({
      ...{ inputPath, probe, intervalMs, tileCount, sheetPath, stillsPath },
      startSeconds: timelineStartSeconds,
    }),
    { outputPipes: 0, workFolder, signal, limits: storyboardLimits },
  ).done
  const [sheet, stills] = await Promise.all([readFile(sheetPath), readFile(stillsPath)])
  const stillEnds = endsOfPictures(stills)
  if (stillEnds.length !== tileCount)
    throw new MediaError('failed', `The storyboard has ${stillEnds.length} pictures instead of ${tileCount}.`)
  return { sheet, stills, stillEnds, layout }
}

/** ITU-T T.81 B.1.1.2: within compressed data, 0xff is followed by 0; so each end-of-image marker is one. */
const endOfImage = Buffer.from([0xff, 0xd9])

const endsOfPictures = (jpegs: Buffer): number[] => {
  const ends: number[] = []
  for (let at = jpegs.indexOf(endOfImage); at !== -1; at = jpegs.indexOf(endOfImage, at + endOfImage.length))
    ends.push(at + endOfImage.length)
  return ends
}

const storeStoryboard = async (
  { database, blobs, publicUrl }: FileJobDependencies,
  job: FileJob,
  {
    files,
    storyboard,
  }: { readonly files: Pick<Drawn, 'sheet' | 'stills'>; readonly storyboard: FileStoryboard },
): Promise<void> => {
  const { sheetBlob, stillsBlob, sizeBytes } = storyboard
  const note = await noteUnnamedBlobs(database, job, [sheetBlob, stillsBlob])
  await blobs.put(sheetBlob, files.sheet, { contentType: 'image/jpeg' })
  await blobs.put(stillsBlob, files.stills)
  await database.transaction(async (tx) => {
    await lockProject(tx, job.accountId, job.projectId)
    const file = await lockMediaFile(tx, job)
    // What was made in vain goes by its note.
    if (file.generation !== job.generation || file.storyboard !== null) return
    await nameBlobs(tx, note)
    await countInProject(tx, job.projectId, { bytes: sizeBytes })
    await changeMediaFile(tx, publicUrl, job, () => ({
      set: {
        storyboard: JSON.stringify(storyboard),
        storage_bytes: file.storage_bytes + sizeBytes,
      },
      events: ['file.updated'],
    }))
  })
}
