import { randomUUID } from 'node:crypto'
import { threadsOfEach, type MediaPlan, type Probe, type VideoRung } from '@zoetrope/ffmpeg'
import type { LadderMode } from '../../../platform/db/tables/files.ts'
import { addGarbageEntry, deleteGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import { initBlob } from '../../../library/files/media/media-blobs.ts'
import { renditionEndSeconds } from '../../../library/files/media/rendition-length.ts'
import { blobPrefixOf, renditionsOf } from '../../../library/files/record/media-file-store.ts'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import { describeOutputs } from '../chunks/describe-outputs.ts'
import { lockWantedInProject } from '../encode/file-progress.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { insertOnDemandRendition } from './on-demand-store.ts'
import {
  bufferSeconds,
  declaredBitRates,
  planSegmentGrid,
  planSegments,
  type OnDemandPlan,
  type SegmentGrid,
} from './plan-on-demand.ts'

interface Ladder {
  readonly mode: LadderMode
  readonly probe: Probe
  /** Made for the segments of the passthrough video. */
  readonly plan: MediaPlan
  readonly passthrough: readonly RenditionRow[]
  readonly inputPath: string
  readonly isSourceKept: boolean
}

const gridOf = ({ probe, plan, passthrough }: Ladder): SegmentGrid | null => {
  const video = passthrough.find(({ kind }) => kind === 'video')
  if (video === undefined) return null
  const segmentCount = (JSON.parse(video.segments) as unknown[]).length
  return planSegmentGrid(probe, plan, { segmentCount, endSeconds: renditionEndSeconds(video) })
}

/**
 * Lists the rungs of a passthrough source, to be encoded when viewers request them. Returns false when the ladder must be
 * encoded at once.
 */
export const listOnDemand = async (
  dependencies: FileJobDependencies,
  run: FileJobRun,
  ladder: Ladder,
): Promise<boolean> => {
  const { database } = dependencies
  const { job, source } = run
  if (ladder.mode === 'eager' || source === null) return false
  const isPlayedFrom = ladder.passthrough.some(({ media_blob }) => media_blob === source.blob)
  if (!isPlayedFrom && !ladder.isSourceKept) return false
  const grid = gridOf(ladder)
  if (grid === null) return false
  const known = await renditionsOf(database.kysely, job.fileId, job.revision)
  const missing = ladder.plan.ladder.filter(({ name }) => !known.some((one) => one.name === name))
  if (missing.length > 0)
    await insertRungs(dependencies, run, ladder, { grid, rungs: missing, sourceBlob: source.blob })
  return true
}

const insertRungs = async (
  { database, blobs }: FileJobDependencies,
  run: FileJobRun,
  ladder: Ladder,
  wanted: { readonly grid: SegmentGrid; readonly rungs: readonly VideoRung[]; readonly sourceBlob: string },
): Promise<void> => {
  const { job } = run
  const { grid, sourceBlob } = wanted
  const rungs = wanted.rungs.map((rung) => ({ ...rung, bufferSeconds }))
  const plan = { ...ladder.plan, ladder: [], cutFrames: grid.startFrames.slice(1) }
  const described = await describeOutputs(
    { probe: ladder.probe, plan, rungs, percent: { from: 0, to: 0 }, isLast: true, claimedSeconds: null },
    (use) => use(ladder.inputPath, true),
    run,
  )
  const listed = rungs.map((rung, index) => {
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
    if (known.some(({ name }) => rungs.some((rung) => rung.name === name))) return
    await deleteGarbageEntry(tx, entryId)
    for (const { rung, mediaBlob, track, init, initSegmentHash } of listed) {
      const { timescale } = track
      const stored: OnDemandPlan = {
        ...{ probe: ladder.probe, plan, rung, sourceBlob, ...grid, timescale, initSegmentHash },
        threadCount: Number(threadsOfEach(1)),
        initSegmentBytes: init.length,
      }
      const segments = planSegments(grid, { ...stored, frameRate: plan.frameRate })
      await insertOnDemandRendition(tx, job, {
        ...{ mediaBlob, plan: stored, track, segments },
        bitRates: declaredBitRates(segments, stored),
        hasClosedCaptions: known.find(({ kind }) => kind === 'video')?.has_closed_captions ?? null,
      })
    }
  })
}
