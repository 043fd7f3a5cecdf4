import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  MediaError,
  probeFile,
  runFfmpeg,
  storyboardArguments,
  storyboardLayout,
  type Probe,
  type StoryboardLayout,
} from '@zoetrope/ffmpeg'
import { timelineStartSeconds } from '@zoetrope/packager'
import { newMessage } from '../../../platform/base/message.ts'
import type { FileJob } from '../../../library/files/queue/file-jobs.ts'
import { storyboardFolder } from '../../../library/files/media/media-blobs.ts'
import { blobPrefixOf, renditionsOf } from '../../../library/files/record/media-file-store.ts'
import { addGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import { BlobNotFoundError } from '../../../platform/blobs/blob-store.ts'
import type { FileStoryboard } from '../../../platform/db/tables/pictures.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import {
  chooseRendition,
  durationOf,
  planStoryboard,
  writeKeyFrames,
  type StoryboardPlan,
} from './storyboard-frames.ts'

/** A file is not finished before its storyboard is drawn, so an unusually slow one is abandoned. */
const storyboardLimits = { wallSeconds: 60, cpuSeconds: 60, outputFileBytes: 64 * 1024 * 1024 } as const

export interface DrawStoryboardRun {
  readonly workFolder: string
  readonly signal: AbortSignal
  /** Absent = not known. */
  readonly sourceProbe?: Probe
}

export interface DrawnStoryboard {
  readonly storyboard: FileStoryboard
  /** Its blobs are garbage until `deleteGarbageEntry`. */
  readonly entryId: number
}

/**
 * Draws the storyboard of one revision and stores its blobs. Returns null without video or when the media
 * cannot be drawn.
 */
export const drawStoryboard = async (
  dependencies: FileJobDependencies,
  job: FileJob & { readonly revision: number },
  run: DrawStoryboardRun,
): Promise<DrawnStoryboard | null> => {
  try {
    return await drawAndStore(dependencies, job, run)
  } catch (error) {
    if (run.signal.aborted || !(isFaultOfMedia(error) || error instanceof BlobNotFoundError)) throw error
    dependencies.log.warn({ fileId: job.fileId, err: error }, 'cannot create a storyboard')
    return null
  }
}

const drawAndStore: typeof drawStoryboard = async ({ database, blobs }, job, run) => {
  const rendition = chooseRendition(await renditionsOf(database.kysely, job.fileId, job.revision))
  if (rendition === null) return null
  const durationSeconds = durationOf(rendition)
  const plan = planStoryboard(durationSeconds)
  const workFolder = await mkdtemp(join(run.workFolder, 'storyboard-'))
  const inputPath = join(workFolder, 'key-frames.mp4')
  if (!(await writeKeyFrames(blobs, rendition, plan, inputPath))) return null
  const probe =
    (rendition.delivery === 'in_place' ? probeOfCopy(run.sourceProbe) : null) ??
    (await probeFile(inputPath, { signal: run.signal }))
  const { sheet, stills, stillEnds, layout } = await draw({ ...run, inputPath, probe, workFolder }, plan)
  const publicId = randomUUID()
  const folder = storyboardFolder(blobPrefixOf(job), publicId)
  const sheetBlob = `${folder}sheet.jpg`
  const stillsBlob = `${folder}stills.mjpeg`
  const entryId = await addGarbageEntry(database, job, [sheetBlob, stillsBlob])
  await blobs.put(sheetBlob, sheet, { contentType: 'image/jpeg' })
  await blobs.put(stillsBlob, stills)
  const storyboard = {
    ...{ publicId, sheetBlob, stillsBlob, stillEnds, durationSeconds },
    tileWidthPixels: layout.tile.widthPixels,
    tileHeightPixels: layout.tile.heightPixels,
    columns: layout.columns,
    intervalSeconds: plan.intervalMs / 1_000,
    sizeBytes: sheet.length + stills.length,
  }
  return { storyboard, entryId }
}

interface Drawn {
  readonly sheet: Buffer
  readonly stills: Buffer
  readonly stillEnds: number[]
  readonly layout: StoryboardLayout
}

/** The probe of a file with only the video of the source. Saves a run of ffprobe (0.1 CPU seconds). */
const probeOfCopy = (source: Probe | undefined): Probe | null =>
  source?.video ? { ...source, video: { ...source.video, index: 0 } } : null

const draw = async (
  {
    inputPath,
    probe,
    workFolder,
    signal,
  }: DrawStoryboardRun & { readonly inputPath: string; readonly probe: Probe },
  { intervalMs, tileCount }: StoryboardPlan,
): Promise<Drawn> => {
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
    throw new MediaError(
      'failed',
      newMessage('storyboard_incomplete', { count: stillEnds.length, expected: tileCount }),
    )
  return { sheet, stills, stillEnds, layout }
}

/** ITU-T T.81 B.1.1.2: within compressed data, 0xff is followed by 0, so every match is a marker. */
const endOfImage = Buffer.from([0xff, 0xd9])

const endsOfPictures = (jpegs: Buffer): number[] => {
  const ends: number[] = []
  for (let at = jpegs.indexOf(endOfImage); at !== -1; at = jpegs.indexOf(endOfImage, at + endOfImage.length))
    ends.push(at + endOfImage.length)
  return ends
}
