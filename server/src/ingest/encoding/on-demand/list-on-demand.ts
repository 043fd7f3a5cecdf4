import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { threadsOfEach, type MediaPlan, type Probe, type VideoRung } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { keyFrameSeconds, timelineStartSeconds } from '@zoetrope/packager'
import type { LadderMode } from '../../../platform/db/tables/files.ts'
import { addGarbageEntry, deleteGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import { initBlob } from '../../../library/files/media/media-blobs.ts'
import { renditionEndSeconds } from '../../../library/files/media/rendition-length.ts'
import { blobPrefixOf, renditionsOf } from '../../../library/files/record/media-file-store.ts'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import { planPassthroughTracks, unchangedSource } from '../../renditions/plan-source.ts'
import { segmentStartsOf } from '../../renditions/segment-starts.ts'
import type { PlannedTrack } from '../chunks/chunk-store.ts'
import { describeOutputs } from '../chunks/describe-outputs.ts'
import { lockWantedInProject } from '../encode/file-progress.ts'
import { ladderSteps } from '../encode/ladder-steps.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { insertOnDemandRendition } from './on-demand-store.ts'
import {
  bufferSeconds,
  declaredBitRates,
  isQuickEnough,
  planSegments,
  type OnDemandPlan,
} from './plan/plan-on-demand.ts'
import { planSegmentGrid, type SegmentGrid } from './plan/plan-segments.ts'

interface Ladder {
  readonly mode: LadderMode
  readonly probe: Probe
  readonly plan: MediaPlan
  /** Index of the source; null when it has none that Zoetrope reads. */
  readonly movie: Movie | null
  readonly inputPath: string
  readonly isSourceKept: boolean
}

/** Segments of the rungs; null when viewers would wait too long for one of H.264. They wait for no other. */
const gridOf = ({ probe, plan, movie }: Ladder, video: RenditionRow): SegmentGrid | null => {
  const isPassthrough = video.delivery === 'in_place'
  const track = isPassthrough ? planPassthroughTracks(movie, probe, unchangedSource).video : null
  const grid = planSegmentGrid(probe, plan, {
    segmentStartSeconds: segmentStartsOf(video),
    endSeconds: renditionEndSeconds(video),
    keyFrameSeconds: !isPassthrough
      ? null
      : track === null
        ? []
        : keyFrameSeconds(track).map((seconds) => seconds - timelineStartSeconds),
  })
  if (grid === null || plan.frameRate === null) return null
  const { ladder: rungs, frameRate } = plan
  return isQuickEnough(probe, grid, { rungs, frameRate, coreCount: availableParallelism() }) ? grid : null
}

/** Rungs to be listed with all their segments, without encoding them. */
export interface UnlistedRungs extends Pick<Ladder, 'probe' | 'plan' | 'inputPath'> {
  readonly grid: SegmentGrid
  /** The rungs by codec. */
  readonly steps: readonly (readonly VideoRung[])[]
  readonly sourceBlob: string
}

/**
 * Plans the rungs above the one that plays, and those in other codecs, for encoding when viewers want them. Returns
 * null when the ladder must be encoded at once.
 */
export const planOnDemand = async (
  { database }: FileJobDependencies,
  { job, source }: FileJobRun,
  ladder: Ladder,
): Promise<UnlistedRungs | null> => {
  const { mode, probe, plan, inputPath, isSourceKept } = ladder
  if (mode === 'eager' || source === null) return null
  const known = await renditionsOf(database.kysely, job.fileId, job.revision)
  const video = known.find(({ kind, state }) => kind === 'video' && state === 'complete')
  if (video === undefined) return null
  if (video.media_blob !== source.blob && !isSourceKept) return null
  const grid = gridOf(ladder, video)
  if (grid === null) return null
  const steps = ladderSteps(plan)
    .map((step) => step.filter(({ name }) => !known.some((one) => one.name === name)))
    .filter(({ length }) => length > 0)
  return { probe, plan, inputPath, grid, steps, sourceBlob: source.blob }
}

/** Stores the init segments of the rungs, and lists the rungs with all their segments. */
export const listOnDemand = async (
  { database, blobs }: FileJobDependencies,
  run: FileJobRun,
  ladder: UnlistedRungs,
): Promise<void> => {
  const { job } = run
  const { grid, sourceBlob } = ladder
  if (ladder.steps.length === 0) return
  const steps = ladder.steps.map((step) => step.map((rung) => ({ ...rung, bufferSeconds })))
  const { cutFrames: _cutFrames, ...planned } = ladder.plan
  const plan: MediaPlan = { ...planned, firstRung: null, ladder: [], moreCodecs: [] }
  const described: PlannedTrack[] = []
  // Encoders of several codecs at once would take more memory than any other run.
  for (const rungs of steps)
    described.push(
      ...(await describeOutputs(
        { probe: ladder.probe, plan, rungs, percent: { from: 0, to: 0 }, isLast: true, claimedSeconds: null },
        (use) => use(ladder.inputPath, true),
        run,
      )),
    )
  const listed = steps.flat().map((rung, index) => {
    const one = described[index]
    if (one === undefined) throw new RangeError(`There is no output ${index}.`)
    return {
      ...one,
      rung,
      mediaBlob: `${blobPrefixOf(job)}${randomUUID()}`,
      init: Buffer.from(one.initSegment, 'base64'),
    }
  })
  const entryId = await addGarbageEntry(
    database,
    job,
    listed.map(({ mediaBlob }) => `${mediaBlob}/`),
  )
  for (const { mediaBlob, init } of listed) await blobs.put(initBlob(mediaBlob), init)
  await database.transaction(async (tx) => {
    await lockWantedInProject(tx, job)
    const known = await renditionsOf(tx, job.fileId, job.revision)
    // Another run of the job was faster. Housekeeping removes the init segments of this one.
    if (known.some(({ name }) => listed.some(({ rung }) => rung.name === name))) return
    await deleteGarbageEntry(tx, entryId)
    for (const { rung, mediaBlob, track, init, initSegmentHash } of listed) {
      const { timescale } = track
      const stored: OnDemandPlan = {
        ...{ probe: ladder.probe, plan, rung, sourceBlob, ...grid, timescale, initSegmentHash },
        threadCount: Number(threadsOfEach(1)),
        initSegmentBytes: init.length,
      }
      const segments = planSegments(stored)
      await insertOnDemandRendition(tx, job, {
        ...{ mediaBlob, plan: stored, track, segments },
        bitRates: declaredBitRates(segments, stored),
        hasClosedCaptions: known.find(({ kind }) => kind === 'video')?.has_closed_captions ?? null,
      })
    }
  })
}
