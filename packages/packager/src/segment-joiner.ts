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
  /** Counts from 0. */
  readonly index: number
  readonly data: Buffer[]
}

export interface PrecedingSegments {
  readonly count: number
  /** All of them together; an exact fraction, which must come to whole ticks. */
  readonly seconds: { readonly numerator: number; readonly denominator: number }
}

export interface SegmentCuts {
  readonly frames: readonly number[]
  readonly frameRate: { readonly numerator: number; readonly denominator: number }
}

export interface SegmentJoinerOptions {
  readonly targetDurationSeconds: number
  /** A shorter first segment, so that play starts early; the second one ends where the first would have. */
  readonly firstSegmentMaxSeconds?: number
  /** Where segments begin, each at a key frame, in frames from the start of the timeline, ascending; in place of the durations above. */
  readonly cuts?: SegmentCuts
  /** What the encoder puts before the first sound, in samples; 1024 unless told. */
  readonly primingSamples?: number
  /** For a track that goes on where others end: what lies before it. */
  readonly preceding?: PrecedingSegments
  /** The next segment is made when this has resolved. */
  readonly onSegment: (segment: StreamedSegment) => Promise<void>
}

const defaultPrimingSamples = 1024

/** Joins fragments of one track into segments on the common timeline. */
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
      throw new IsobmffError('malformed', 'A fragment does not begin with a key frame.')
    }
    if (samples.compositionOffsets.some((offset) => offset < 0)) {
      throw new IsobmffError('malformed', 'A picture is to be shown before it is decoded.')
    }
    const span = presentedSpan(samples)
    if (this.#isFull(span.startTicks)) await this.#flush(span.startTicks)
    this.#shiftTicks ??= this.#placeOnTimeline(samples)
    this.#pending.push(fragment)
    this.#sampleCount += samples.count
    this.#sampleTicks += sumTicks(samples)
    // Otherwise only the next fragment tells when the last picture of this one ends.
    if (hasExactEnd(samples) && this.#isFull(span.endTicks)) await this.#flush(span.endTicks)
  }

  /** Hands out what is left. Durations are averages, in ticks. */
  async finish(): Promise<{ segments: readonly PackagedSegment[]; sampleDurationTicks: number }> {
    const last = this.#pending.at(-1)
    if (last !== undefined) await this.#flush(presentedSpan(last.samples).endTicks)
    const sampleDurationTicks = this.#sampleCount === 0 ? 0 : this.#sampleTicks / this.#sampleCount
    return { segments: this.#segments, sampleDurationTicks }
  }

  /** The first picture is shown at the start of the timeline; of sound, the first sample behind the priming. */
  #placeOnTimeline(first: SampleTable): number {
    const { kind, timescale, sampleRateHz } = this.#track
    const { primingSamples = defaultPrimingSamples } = this.#options
    // Sound of an unknown rate is timed in samples, as everywhere.
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
      throw new IsobmffError('malformed', 'What lies before the track does not end on a tick of its clock.')
    }
    return ticks
  }

  #nextIndex(): number {
    return (this.#options.preceding?.count ?? 0) + this.#segments.length
  }

  /** Whether the segment ends where its last fragment does, at this time of the stream. */
  #isFull(endTicks: number): boolean {
    const last = this.#pending.at(-1)
    if (last === undefined) return false
    const { firstSegmentMaxSeconds, cuts } = this.#options
    if (cuts !== undefined) return this.#reachesCut(cuts, endTicks + this.#shiftTicks!)
    // Would one more fragment, as long as the last one, bring the segment farther from its target?
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
    // Rounded to ticks, a frame may lie one beside its time.
    const isBehind = (frame: number | undefined, end: number): boolean =>
      frame !== undefined && ticksOf(frame) <= end + 1
    while (isBehind(frames[this.#nextCut], startTicks)) this.#nextCut++
    return isBehind(frames[this.#nextCut], ticks)
  }

  /** All tracks cut at the same instants, whether or not they begin with a short segment. */
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
      // The first part is all that lies before the samples.
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

/** Durations are those of decoding: where pictures change places and durations differ, the last one's is a guess. */
const hasExactEnd = ({ durations, compositionOffsets }: SampleTable): boolean =>
  durations.every((duration) => duration === durations[0]) ||
  compositionOffsets.every((offset) => offset === compositionOffsets[0])
