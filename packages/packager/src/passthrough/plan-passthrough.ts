import {
  measureMediaSegment,
  type Movie,
  type SampleRange,
  type SampleTable,
  type Track,
} from '@zoetrope/isobmff'
import { measureBitRates } from '../segments/bit-rates.ts'
import { chooseCuts } from './choose-cuts.ts'
import {
  describeTrack,
  timelineStartSeconds,
  type PackagedSegment,
  type PackagedTrack,
} from '../segments/packaged-track.ts'
import { planReads, readBytesOf } from './plan-reads.ts'
import { audioToServe, pictureStarts } from './presented-samples.ts'
import { silentFrameOf } from '../segments/silent-frames.ts'

export interface PassthroughSegment extends PackagedSegment, SampleRange {
  /** Decode time of the first sample, on the common timeline. */
  readonly baseDecodeTime: number
}

/** A source track whose segments are packaged just in time from the source itself (passthrough). */
export interface PassthroughTrack extends PackagedTrack {
  readonly segments: readonly PassthroughSegment[]
  readonly trackId: number
  /** Offsets are in the source; composition offsets are ≥ 0. */
  readonly samples: SampleTable
  /**
   * Frame that fills a gap before the first audio sample. Null for video, and when the decoder has no silent
   * frame.
   */
  readonly silentFrame: Buffer | null
}

export interface PassthroughOptions {
  readonly track: 'video' | 'audio'
  /** Track id in the file. Defaults to the first track of this kind. */
  readonly trackId?: number | null
  /**
   * Position in the movie's presentation at which the timeline begins. Defaults to the start of the movie.
   */
  readonly startSeconds?: number | null
  readonly targetDurationSeconds: number
  readonly maxDurationSeconds: number
}

export type PassthroughPlan =
  | { readonly ok: true; readonly track: PassthroughTrack }
  | { readonly ok: false; readonly reason: string }

/**
 * Plans just-in-time segments over the samples of a source. Returns a readable reason when players would
 * present the segments differently from the source. The caller checks codec support.
 */
export const planPassthrough = (movie: Movie, options: PassthroughOptions): PassthroughPlan => {
  const track = chosenTrack(movie, options)
  if (track === undefined) return refuse(`The source has no ${options.track}.`)
  const unfit = whyUnfit(track)
  if (unfit !== undefined) return refuse(unfit)
  const placed = placeOnTimeline(track, options.startSeconds ?? movie.startSeconds)
  const starts = track.kind === 'video' ? pictureStarts(track) : audioToServe(track)
  if ('reason' in starts) return refuse(starts.reason)
  const ticks = (seconds: number) => seconds * track.timescale
  const cuts = chooseCuts(
    starts.points,
    ticks(options.targetDurationSeconds),
    ticks(options.maxDurationSeconds),
  )
  if (cuts === undefined) {
    return refuse(`The ${track.kind} cannot be cut into segments of ${options.maxDurationSeconds} s at most.`)
  }
  const { samples, decodeShiftTicks } = placed
  const segments = cuts.slice(1).map((cut, index): PassthroughSegment => {
    const from = cuts[index]!
    const firstSample = starts.samples[from]!
    const range = { firstSample, sampleCount: starts.samples[cut]! - firstSample }
    const { sizeBytes, firstSampleEndBytes } = measureMediaSegment(samples, range)
    return {
      ...range,
      startTicks: starts.points[from]! + placed.presentationShiftTicks,
      durationTicks: starts.points[cut]! - starts.points[from]!,
      baseDecodeTime: samples.decodeTimes[firstSample]! + decodeShiftTicks,
      sizeBytes,
      ...(track.kind === 'video' ? { keyFrameEndBytes: firstSampleEndBytes } : {}),
    }
  })
  const first = segments[0]
  if (first === undefined || first.baseDecodeTime < 0)
    return refuse('Decoding starts too long before the picture.')
  const description = describeTrack(track, samples)
  if (segments.some((segment) => isTooCostly(samples, segment))) {
    return refuse(`Segments of the ${track.kind} would take too much memory or too many reads.`)
  }
  return {
    ok: true,
    track: {
      ...description,
      trackId: track.id,
      segments,
      samples,
      silentFrame: silentFrameOf(track),
      ...measureBitRates(segments, track.timescale),
    },
  }
}

const chosenTrack = (movie: Movie, { track: kind, trackId }: PassthroughOptions): Track | undefined =>
  trackId == null
    ? movie.tracks.find((track) => track.kind === kind)
    : movie.tracks.find((track) => track.id === trackId && track.kind === kind)

const refuse = (reason: string): PassthroughPlan => ({ ok: false, reason })

/**
 * Ten seconds at 50 Mbit/s or four seconds at 130 Mbit/s. Each segment is held in memory twice while it is
 * sent.
 */
const maxSegmentBytes = 64 * 1024 * 1024
/** Real files never need a separate read for every sample. */
const maxReadsPerSegment = 256

const isTooCostly = (samples: SampleTable, segment: PassthroughSegment): boolean => {
  const reads = planReads(samples, segment)
  return (
    Math.max(segment.sizeBytes, readBytesOf(reads)) > maxSegmentBytes || reads.length > maxReadsPerSegment
  )
}

/**
 * Players and the database use signed 32-bit integers. Microsecond and nanosecond timescales are below this
 * limit.
 */
const maxTimescale = 2 ** 31 - 1

const whyUnfit = (track: Track): string | undefined => {
  if (track.isEncrypted) return `The ${track.kind} is encrypted.`
  if (track.sampleEntryCount !== 1) return `The ${track.kind} changes its decoder settings on the way.`
  if (track.hasComplexEdits) return `The ${track.kind} is put together by an edit list.`
  if (track.kind === 'video' && Math.min(track.widthPixels, track.heightPixels) < 1)
    return 'The video does not say how large it is.'
  if (track.kind === 'audio' && !(Number.isSafeInteger(track.sampleRateHz) && track.sampleRateHz > 0))
    return 'The audio does not say its sample rate.'
  if (track.timescale > maxTimescale) return `The ${track.kind} counts time in steps that are too small.`
  if (track.samples.count === 0) return `The ${track.kind} has no samples that can be served one by one.`
  return undefined
}

interface PlacedTrack {
  readonly samples: SampleTable
  /** Converts media presentation times to the common timeline. */
  readonly presentationShiftTicks: number
  /** Converts the table's decode times to the common timeline. */
  readonly decodeShiftTicks: number
}

/**
 * Makes composition offsets non-negative and shifts decode times back accordingly. Presentation times do not
 * change.
 */
const placeOnTimeline = (track: Track, startSeconds: number): PlacedTrack => {
  const { samples, timescale } = track
  const presentationShiftTicks =
    track.presentationShiftTicks + Math.round((timelineStartSeconds - startSeconds) * timescale)
  let lowest = 0
  for (let index = 0; index < samples.count; index++) {
    const offset = samples.compositionOffsets[index]!
    if (offset < lowest) lowest = offset
  }
  if (lowest === 0) return { samples, presentationShiftTicks, decodeShiftTicks: presentationShiftTicks }
  const compositionOffsets = samples.compositionOffsets.map((offset) => offset - lowest)
  return {
    samples: { ...samples, compositionOffsets },
    presentationShiftTicks,
    decodeShiftTicks: presentationShiftTicks + lowest,
  }
}
