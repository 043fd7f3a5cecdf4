import { thumbnailThreads } from '@zoetrope/ffmpeg'
import {
  cutFromFrame,
  cutToFrame,
  openSegment,
  reorderDepth,
  sampleShownAt,
  shownFrom,
  timelineStartSeconds,
  type OpenSegment,
} from '@zoetrope/packager'
import { isH264, type RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import type { ThumbnailBox } from '@zoetrope/ffmpeg'
import { nothing } from '../access/find-playout.ts'
import type { MediaPieces } from '../media/media-pieces.ts'
import type { PictureStream } from './decoder-process.ts'

/** Frame to decode: its time and the bytes for the decoder. */
export interface Frame {
  /** Identifies the picture together with the rendition: times that show the same frame yield one picture. */
  readonly ticks: number
  /** Precedes the first stream of a decoder. */
  readonly header: () => Promise<Buffer>
  readonly stream: PictureStream
}

type SegmentTimes = readonly [startTicks: number, durationTicks: number]

const segmentsOf = ({ segments }: RenditionRow): SegmentTimes[] => JSON.parse(segments) as SegmentTimes[]

const isLargeEnough = (
  rendition: RenditionRow,
  { widthPixels, heightPixels }: Partial<ThumbnailBox>,
): boolean =>
  (rendition.width_pixels ?? 0) >= (widthPixels ?? 0) && (rendition.height_pixels ?? 0) >= (heightPixels ?? 0)

/**
 * Returns the smallest rendition with enough pixels, because it decodes fastest, else the largest. Prefers
 * H.264 to codecs that decode more slowly.
 */
export const chooseVideo = (
  renditions: readonly RenditionRow[],
  box: Partial<ThumbnailBox>,
): RenditionRow | null => {
  const complete = renditions
    .filter(({ kind, state }) => kind === 'video' && state === 'complete')
    .toSorted((one, other) => (one.height_pixels ?? 0) - (other.height_pixels ?? 0) || one.id - other.id)
  const avc = complete.filter(isH264)
  const videos = avc.length > 0 ? avc : complete
  return videos.find((video) => isLargeEnough(video, box)) ?? videos.at(-1) ?? null
}

/** Times are often rounded to milliseconds and may lie just before the intended frame. */
const toleranceSeconds = 0.000_5

const ticksAt = ({ timescale }: RenditionRow, seconds: number): number =>
  Math.floor((timelineStartSeconds + seconds + toleranceSeconds) * timescale)

const segmentAt = (segments: readonly SegmentTimes[], ticks: number): number =>
  Math.max(
    0,
    segments.findLastIndex(([start]) => start <= ticks),
  )

export interface FrameSource {
  readonly at: (rendition: RenditionRow, seconds: number) => Promise<Frame>
  /** Returns the frames shown from start to end, with those that the decoder needs before them. */
  readonly between: (rendition: RenditionRow, startSeconds: number, endSeconds: number) => Promise<Frame>
}

export const createFrameSource = (pieces: MediaPieces): FrameSource => {
  const read = async (piece: { readonly read: () => Promise<Buffer | null> }): Promise<Buffer> => {
    const body = await piece.read()
    if (body === null) throw nothing()
    return body
  }
  const open = async (rendition: RenditionRow, index: number): Promise<OpenSegment> =>
    openSegment(await read(pieces.segment(rendition, index)))
  const find = async (rendition: RenditionRow, seconds: number) => {
    const segments = segmentsOf(rendition)
    if (segments.length === 0) throw nothing()
    const wanted = ticksAt(rendition, seconds)
    const index = segmentAt(segments, wanted)
    const segment = await open(rendition, index)
    const sample = sampleShownAt(segment, wanted)
    const ticks = shownFrom(segment, sample)
    /** Returns the shift that moves the sample to a time. */
    const shiftTo = (shownSample: number, atSeconds: number): number =>
      atSeconds * rendition.timescale - shownFrom(segment, shownSample)
    const header = async (): Promise<Buffer> => read(pieces.init(rendition))
    return { segments, index, segment, sample, ticks, shiftTo, header }
  }

  return {
    at: async (rendition, seconds) => {
      const { segment, sample, ticks, shiftTo, header } = await find(rendition, seconds)
      const isAvc = rendition.codec.startsWith('avc')
      const cut = (to: number, atSeconds: number): Buffer =>
        cutToFrame(segment, to, { isAvc, shiftTicks: shiftTo(to, atSeconds) })
      // The decoder returns a picture after others have followed. A key frame needs no other frame.
      const followers = thumbnailThreads - 1 + reorderDepth(segment)
      return {
        ticks,
        header,
        stream: async (atSeconds) => [
          cut(sample, atSeconds),
          ...Array.from({ length: followers }, (_none, place) => cut(0, atSeconds + place + 1)),
        ],
      }
    },
    between: async (rendition, startSeconds, endSeconds) => {
      const { segments, index, segment, sample, ticks, shiftTo, header } = await find(rendition, startSeconds)
      const last = segmentAt(segments, ticksAt(rendition, endSeconds))
      return {
        ticks,
        header,
        stream: async (atSeconds) => {
          const shiftTicks = shiftTo(sample, atSeconds)
          const stream = [cutFromFrame(segment, sample, shiftTicks)]
          for (let next = index + 1; next <= last; next++)
            stream.push(cutFromFrame(await open(rendition, next), 0, shiftTicks))
          return stream
        },
      }
    },
  }
}
