import { appendFile } from 'node:fs/promises'
import { maxStoryboardTiles } from '@zoetrope/ffmpeg'
import type { RandomAccessReader } from '@zoetrope/isobmff'
import {
  keyFramesAt,
  planPassthrough,
  readPassthroughSegment,
  timelineStartSeconds,
} from '@zoetrope/packager'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import {
  folderOfSegment,
  initBlob,
  passthroughOptionsOf,
  segmentBlob,
} from '../../../library/files/media/media-blobs.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { readMovieOrNull } from '../../renditions/plan-source.ts'

/** Viewers do not need closer tiles for seeking. */
const shortestIntervalMs = 2_000
/** A shorter remainder is due to rounding and gets no tile. */
const leastTileMs = 50

export interface StoryboardPlan {
  readonly intervalMs: number
  readonly tileCount: number
}

/** Plans tiles at equal intervals, a hundred at most. Pure. */
export const planStoryboard = (durationSeconds: number): StoryboardPlan => {
  const durationMs = Math.round(durationSeconds * 1_000)
  const intervalMs = Math.max(shortestIntervalMs, Math.ceil(durationMs / maxStoryboardTiles))
  return { intervalMs, tileCount: Math.max(1, Math.ceil((durationMs - leastTileMs) / intervalMs)) }
}

type SegmentTimes = readonly [startTicks: number, durationTicks: number]

const segmentsOf = ({ segments }: Pick<RenditionRow, 'segments'>): SegmentTimes[] =>
  JSON.parse(segments) as SegmentTimes[]

export const durationOf = (rendition: Pick<RenditionRow, 'segments' | 'timescale'>): number => {
  const [start, duration] = segmentsOf(rendition).at(-1) ?? [0, 0]
  return Math.max(0, (start + duration) / rendition.timescale - timelineStartSeconds)
}

/**
 * Chooses the rendition to draw from: the smallest packaged one decodes fastest; without one, the source.
 * Pure.
 */
export const chooseRendition = (renditions: readonly RenditionRow[]): RenditionRow | null => {
  const videos = renditions.filter(({ kind, state }) => kind === 'video' && state === 'complete')
  const packaged = videos
    .filter(({ delivery }) => delivery === 'packaged')
    .toSorted((one, other) => (one.height_pixels ?? 0) - (other.height_pixels ?? 0))
  return packaged.find(({ codec }) => codec.startsWith('avc')) ?? packaged[0] ?? videos[0] ?? null
}

/** Returns the indices of the segments that contain these times, ascending and unique. Pure. */
export const segmentsAt = (
  rendition: Pick<RenditionRow, 'segments' | 'timescale'>,
  seconds: readonly number[],
): number[] => {
  const starts = segmentsOf(rendition).map(([start]) => start / rendition.timescale)
  const chosen = seconds.map((time) => {
    const after = starts.findIndex((start) => start > time)
    return after === -1 ? starts.length - 1 : Math.max(0, after - 1)
  })
  return [...new Set(chosen)]
}

/**
 * Writes the key frames for a storyboard to one small file, with times on the common timeline. It reads at
 * most a hundred positions, however long the video is. Returns false when the source cannot be read.
 */
export const writeKeyFrames = async (
  blobs: BlobStore,
  rendition: RenditionRow,
  { intervalMs, tileCount }: StoryboardPlan,
  path: string,
): Promise<boolean> => {
  const seconds = Array.from(
    { length: tileCount },
    (_none, tile) => timelineStartSeconds + (tile * intervalMs) / 1_000,
  )
  const write = rendition.delivery === 'in_place' ? writeFromSource : writeFromSegments
  return write(blobs, rendition, seconds, path)
}

const writeFromSegments: typeof writeFromSource = async (blobs, rendition, seconds, path) => {
  await appendFile(path, await blobs.read(initBlob(folderOfSegment(rendition, 0))))
  for (const index of segmentsAt(rendition, seconds))
    await appendFile(path, await blobs.read(segmentBlob(folderOfSegment(rendition, index), index)))
  return true
}

/** Reads small ranges of a source that may be large and remote. */
const readerOf = async (blobs: BlobStore, key: string): Promise<RandomAccessReader> => ({
  sizeBytes: (await blobs.stat(key))?.sizeBytes ?? 0,
  read: (offset, length) => blobs.read(key, { start: offset, end: offset + length }),
})

const writeFromSource = async (
  blobs: BlobStore,
  rendition: RenditionRow,
  seconds: readonly number[],
  path: string,
): Promise<boolean> => {
  const reader = await readerOf(blobs, rendition.media_blob)
  const movie = await readMovieOrNull(reader)
  if (movie === null) return false
  const planned = planPassthrough(movie, passthroughOptionsOf(rendition))
  if (!planned.ok) return false
  const track = keyFramesAt(planned.track, seconds)
  await appendFile(path, track.initSegment)
  for (const index of track.segments.keys())
    await appendFile(path, Buffer.concat(await readPassthroughSegment(reader, track, index)))
  return true
}
