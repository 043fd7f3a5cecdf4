import type { TrackKind } from '@zoetrope/ll-hls'
import type { RecordedFacts, RecordedTrack, RoundFacts } from './plan-round.ts'
import type { Round, RoundSegment } from './rounds.ts'
import { readSamples, writeFragment, type SegmentSamples } from './write-fragment.ts'

export interface TrackInRound extends RoundSegment {
  readonly kind: TrackKind
  /** Null when the segment has no samples. */
  readonly samples: SegmentSamples | null
}

/** Returns the tracks of a round, video first. */
export const readRound = (round: Round): TrackInRound[] =>
  (['video', 'audio'] as const).flatMap((kind) => {
    const found = round[kind]
    return found === undefined ? [] : [{ kind, ...found, samples: readSamples(found.pieces) }]
  })

export const factsOf = (tracks: readonly TrackInRound[]): RoundFacts => {
  const [lead] = tracks
  return {
    tracks: Object.fromEntries(
      tracks.map((track) => [
        track.kind,
        {
          initSegment: track.format.initSegment,
          firstDecodeTicks: track.samples?.table.decodeTimes[0],
          startSeconds: track.segment.startSeconds,
        },
      ]),
    ),
    isEntry: lead !== undefined && lead.segment.isIndependent && !lead.segment.isGap,
    startSeconds: lead?.segment.startSeconds ?? 0,
  }
}

/** What is recorded so far, without the init segments, as JSON. */
export interface RecordedState {
  readonly startSeconds: number
  readonly sequenceNumber: number
  readonly tracks: Partial<Record<TrackKind, Pick<RecordedTrack, 'lastDecodeTicks' | 'endSeconds'>>>
}

export interface RecordedInit {
  readonly kind: TrackKind
  readonly initSegment: Buffer
}

/** Where a part is written. */
export interface FragmentWriter {
  readonly append: (fragment: readonly Buffer[]) => void
  /** Called after all tracks of a round. */
  readonly endRound?: (state: RecordedState) => void
}

export class RecordedPart implements RecordedFacts {
  readonly startSeconds: number
  readonly #file: FragmentWriter
  readonly #tracks: Partial<Record<TrackKind, RecordedTrack & { readonly trackId: number }>> = {}
  #sequenceNumber = 0
  /** Time that is left out before the rounds of this node. Null until the first round after another node. */
  #leftOutSeconds: number | null = 0

  constructor(file: FragmentWriter, inits: readonly RecordedInit[], startSeconds: number) {
    this.#file = file
    this.startSeconds = startSeconds
    for (const [index, { kind, initSegment }] of inits.entries())
      this.#tracks[kind] = {
        trackId: index + 1,
        initSegment,
        lastDecodeTicks: undefined,
        endSeconds: this.startSeconds,
      }
  }

  /** Continues what another node has recorded. `inits` are in the order of the tracks of the file. */
  static resume(file: FragmentWriter, inits: readonly RecordedInit[], state: RecordedState): RecordedPart {
    const part = new RecordedPart(file, inits, state.startSeconds)
    part.#sequenceNumber = state.sequenceNumber
    part.#leftOutSeconds = null
    for (const { kind } of inits) {
      const track = part.#tracks[kind]
      if (track !== undefined) part.#tracks[kind] = { ...track, ...state.tracks[kind] }
    }
    return part
  }

  /** Moves a round to its time in the file: the first one of this node follows what another node has recorded. */
  place(tracks: readonly TrackInRound[]): readonly TrackInRound[] {
    if (this.#leftOutSeconds === 0) return tracks
    if (this.#leftOutSeconds === null) {
      const { isEntry, startSeconds } = factsOf(tracks)
      if (!isEntry) return []
      this.#leftOutSeconds = startSeconds - (this.startSeconds + this.durationSeconds)
    }
    const leftOutSeconds = this.#leftOutSeconds
    return tracks.map((track) => moveBack(track, leftOutSeconds))
  }

  endRound(): void {
    const tracks = Object.fromEntries(
      Object.entries(this.#tracks).map(([kind, { lastDecodeTicks, endSeconds }]) => [
        kind,
        { lastDecodeTicks, endSeconds },
      ]),
    )
    this.#file.endRound?.({ startSeconds: this.startSeconds, sequenceNumber: this.#sequenceNumber, tracks })
  }

  get durationSeconds(): number {
    const ends = Object.values(this.#tracks).map(({ endSeconds }) => endSeconds)
    return Math.max(...ends) - this.startSeconds
  }

  get tracks(): Partial<Record<TrackKind, RecordedTrack>> {
    return this.#tracks
  }

  add({ kind, segment, samples }: TrackInRound): void {
    const track = this.#tracks[kind]
    if (samples === null || track === undefined) return
    this.#sequenceNumber++
    this.#file.append(
      writeFragment(samples, { trackId: track.trackId, sequenceNumber: this.#sequenceNumber }),
    )
    this.#tracks[kind] = {
      ...track,
      lastDecodeTicks: samples.table.decodeTimes.at(-1),
      endSeconds: segment.startSeconds + segment.durationSeconds,
    }
  }
}

/** A part that begins with this round. */
export const newPart = (file: FragmentWriter, tracks: readonly TrackInRound[]): RecordedPart =>
  new RecordedPart(
    file,
    tracks.map(({ kind, format }) => ({ kind, initSegment: format.initSegment })),
    factsOf(tracks).startSeconds,
  )

const moveBack = (track: TrackInRound, seconds: number): TrackInRound => {
  const { segment, format, samples } = track
  const ticks = Math.round(seconds * format.timescale)
  return {
    ...track,
    segment: { ...segment, startSeconds: segment.startSeconds - seconds },
    samples: samples && {
      ...samples,
      table: { ...samples.table, decodeTimes: samples.table.decodeTimes.map((time) => time - ticks) },
    },
  }
}
