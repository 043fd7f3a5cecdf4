import {
  IsobmffError,
  joinSampleTables,
  writeMediaSegment,
  type FragmentPiece,
  type SampleTable,
  type Track,
} from '@zoetrope/isobmff'
import { timelineStartSeconds, type PackagedSegment } from './packaged-track.ts'
import { pickSamples } from './sample-bytes.ts'

export interface StreamedSegment extends PackagedSegment {
  readonly index: number
  readonly data: Buffer[]
}

export interface PrecedingSegments {
  readonly count: number
  /** Total duration as an exact fraction that must equal a whole number of ticks. */
  readonly seconds: { readonly numerator: number; readonly denominator: number }
}

export interface SegmentCuts {
  readonly frames: readonly number[]
  readonly frameRate: { readonly numerator: number; readonly denominator: number }
}

export interface SegmentJoinerOptions {
  readonly targetDurationSeconds: number
  /**
   * Maximum duration of a shorter first segment for faster startup. The second segment then ends where the
   * first one would have ended.
   */
  readonly firstSegmentMaxSeconds?: number
  /**
   * Segment starts in frames from the start of the timeline, ascending, each at a key frame. Replaces the
   * durations above.
   */
  readonly cuts?: SegmentCuts
  /** Number of encoder priming samples before the first audio sample. Defaults to 1024. */
  readonly primingSamples?: number
  /** Segments before this track, for a track that continues another one. */
  readonly preceding?: PrecedingSegments
  /** The joiner waits for this promise before it creates the next segment. */
  readonly onSegment: (segment: StreamedSegment) => Promise<void>
}

const defaultPrimingSamples = 1024

export class SegmentJoiner {
  readonly #track: Track
  readonly #options: SegmentJoinerOptions
  readonly #segments: PackagedSegment[] = []
  #pending: FragmentPiece[] = []
  #shiftTicks: number | undefined
  #sampleCount = 0
  #sampleTicks = 0
  #nextCut = 0

  constructor(track: Track, options: SegmentJoinerOptions) {
    this.#track = track
    this.#options = options
  }

  async add(fragment: FragmentPiece): Promise<void> {
    const { samples } = fragment
    if (samples.isSync[0] !== 1) {
      throw new IsobmffError('malformed', 'A fragment does not start with a key frame.')
    }
    if (samples.compositionOffsets.some((offset) => offset < 0)) {
      throw new IsobmffError('malformed', 'A picture has a presentation time before its decode time.')
    }
    const span = presentedSpan(samples)
    if (this.#isFull(span.startTicks)) await this.#flush(span.startTicks)
    this.#shiftTicks ??= this.#placeOnTimeline(samples)
    this.#pending.push(fragment)
    this.#sampleCount += samples.count
    this.#sampleTicks += sumTicks(samples)
    // Otherwise the end of the last picture is known only when the next fragment arrives.
    if (hasExactEnd(samples) && this.#isFull(span.endTicks)) await this.#flush(span.endTicks)
  }

  /** Flushes the remaining fragments. `sampleDurationTicks` is an average. */
  async finish(): Promise<{ segments: readonly PackagedSegment[]; sampleDurationTicks: number }> {
    const last = this.#pending.at(-1)
    if (last !== undefined) await this.#flush(presentedSpan(last.samples).endTicks)
    const sampleDurationTicks = this.#sampleCount === 0 ? 0 : this.#sampleTicks / this.#sampleCount
    return { segments: this.#segments, sampleDurationTicks }
  }

  /** Aligns the first picture, or the first audio sample after priming, with the start of the timeline. */
  #placeOnTimeline(first: SampleTable): number {
    const { kind, timescale, sampleRateHz } = this.#track
    const { primingSamples = defaultPrimingSamples } = this.#options
    // When the sample rate is unknown, assume that the timescale equals it, as is customary.
    const primingTicks = Math.round((primingSamples * timescale) / (sampleRateHz || timescale))
    const startTicks =
      timelineStartSeconds * timescale - (kind === 'audio' ? primingTicks : 0) + this.#precedingTicks()
    const shiftTicks = startTicks - presentedSpan(first).startTicks
    if (first.decodeTimes[0]! + shiftTicks < 0) {
      throw new IsobmffError('malformed', 'Decoding starts too long before the first picture or sound.')
    }
    return shiftTicks
  }

  #precedingTicks(): number {
    const { numerator, denominator } = this.#options.preceding?.seconds ?? { numerator: 0, denominator: 1 }
    const ticks = (numerator * this.#track.timescale) / denominator
    if (!Number.isSafeInteger(ticks)) {
      throw new IsobmffError('malformed', 'The preceding segments do not end on a tick of the track.')
    }
    return ticks
  }

  #nextIndex(): number {
    return (this.#options.preceding?.count ?? 0) + this.#segments.length
  }

  /**
   * Returns true when the current segment should end at the end of its last fragment. `endTicks` is that time
   * in the stream.
   */
  #isFull(endTicks: number): boolean {
    const last = this.#pending.at(-1)
    if (last === undefined) return false
    const { firstSegmentMaxSeconds, cuts } = this.#options
    if (cuts !== undefined) return this.#reachesCut(cuts, endTicks + this.#shiftTicks!)
    // Close the segment when another fragment of the same length would move it further from the target.
    const { timescale } = this.#track
    const pendingTicks = this.#pending.reduce((sum, fragment) => sum + sumTicks(fragment.samples), 0)
    const lastTicks = sumTicks(last.samples)
    if (this.#segments.length === 0 && firstSegmentMaxSeconds !== undefined) {
      if (pendingTicks + lastTicks > firstSegmentMaxSeconds * timescale) return true
    }
    return pendingTicks + lastTicks / 2 >= this.#targetTicks()
  }

  #reachesCut({ frames, frameRate }: SegmentCuts, ticks: number): boolean {
    const { timescale } = this.#track
    const ticksOf = (frame: number): number =>
      (timelineStartSeconds + (frame * frameRate.denominator) / frameRate.numerator) * timescale
    const startTicks = presentedSpan(this.#pending[0]!.samples).startTicks + this.#shiftTicks!
    // Tolerate one tick, because frame times are rounded to ticks.
    const isBehind = (frame: number | undefined, end: number): boolean =>
      frame !== undefined && ticksOf(frame) <= end + 1
    while (isBehind(frames[this.#nextCut], startTicks)) this.#nextCut++
    return isBehind(frames[this.#nextCut], ticks)
  }

  /** The second segment compensates for a short first one, so that all tracks cut at the same instants. */
  #targetTicks(): number {
    const { targetDurationSeconds, firstSegmentMaxSeconds } = this.#options
    const targetTicks = targetDurationSeconds * this.#track.timescale
    const [first, second] = this.#segments
    if (firstSegmentMaxSeconds === undefined || first === undefined || second !== undefined)
      return targetTicks
    const leftTicks = targetTicks - first.durationTicks
    return leftTicks > 0 ? leftTicks : targetTicks
  }

  async #flush(endTicks: number): Promise<void> {
    const fragments = this.#pending
    this.#pending = []
    const table = joinSampleTables(fragments.map((fragment) => fragment.samples))
    const { startTicks } = presentedSpan(fragments[0]!.samples)
    const shiftTicks = this.#shiftTicks!
    const data = writeMediaSegment({
      sequenceNumber: this.#nextIndex() + 1,
      baseDecodeTime: table.decodeTimes[0]! + shiftTicks,
      table,
      firstSample: 0,
      sampleCount: table.count,
      data: fragments.flatMap(({ samples, data: bytes }) =>
        pickSamples(samples, { firstSample: 0, sampleCount: samples.count }, bytes, 0),
      ),
    })
    const segment = {
      startTicks: startTicks + shiftTicks,
      durationTicks: endTicks - startTicks,
      sizeBytes: data.reduce((sum, part) => sum + part.length, 0),
      // The first buffer contains everything before the samples.
      ...(this.#track.kind === 'video' ? { keyFrameEndBytes: data[0]!.length + table.sizes[0]! } : {}),
    }
    const index = this.#nextIndex()
    this.#segments.push(segment)
    await this.#options.onSegment({ ...segment, index, data })
  }
}

const sumTicks = ({ durations }: SampleTable): number =>
  durations.reduce((sum, duration) => sum + duration, 0)

const presentedSpan = (samples: SampleTable): { startTicks: number; endTicks: number } => {
  let startTicks = Infinity
  let endTicks = -Infinity
  for (let index = 0; index < samples.count; index++) {
    const presented = samples.decodeTimes[index]! + samples.compositionOffsets[index]!
    startTicks = Math.min(startTicks, presented)
    endTicks = Math.max(endTicks, presented + samples.durations[index]!)
  }
  return { startTicks, endTicks }
}

/**
 * Returns true when the end is exact. Durations are decode durations, so with reordering and varying
 * durations the end of the last picture is only an estimate.
 */
const hasExactEnd = ({ durations, compositionOffsets }: SampleTable): boolean =>
  durations.every((duration) => duration === durations[0]) ||
  compositionOffsets.every((offset) => offset === compositionOffsets[0])
