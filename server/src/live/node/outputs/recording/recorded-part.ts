import type { TrackKind } from '@zoetrope/ll-hls'
import type { RecordedFacts, RecordedTrack, RoundFacts } from './plan-round.ts'
import type { RecordingFile } from './recording-file.ts'
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

export class RecordedPart implements RecordedFacts {
  readonly startSeconds: number
  readonly #file: RecordingFile
  readonly #tracks: Partial<Record<TrackKind, RecordedTrack & { readonly trackId: number }>> = {}
  #sequenceNumber = 0

  constructor(file: RecordingFile, tracks: readonly TrackInRound[]) {
    this.#file = file
    this.startSeconds = factsOf(tracks).startSeconds
    for (const [index, { kind, format }] of tracks.entries())
      this.#tracks[kind] = {
        trackId: index + 1,
        initSegment: format.initSegment,
        lastDecodeTicks: undefined,
        endSeconds: this.startSeconds,
      }
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
