import type { TrackKind } from '@zoetrope/ll-hls'

export interface RoundTrack {
  readonly initSegment: Buffer
  /** Undefined when the segment has no samples. */
  readonly firstDecodeTicks: number | undefined
  readonly startSeconds: number
}

export interface RoundFacts {
  readonly tracks: Partial<Record<TrackKind, RoundTrack>>
  /** Whether a file may begin with this round. */
  readonly isEntry: boolean
  readonly startSeconds: number
}

export interface RecordedTrack {
  readonly initSegment: Buffer
  /** Undefined before its first sample. */
  readonly lastDecodeTicks: number | undefined
  readonly endSeconds: number
}

export interface RecordedFacts {
  readonly tracks: Partial<Record<TrackKind, RecordedTrack>>
  readonly startSeconds: number
}

/** A longer gap prevents passthrough of the file (`passthroughOptions`). */
const longestHoleSeconds = 10

/**
 * Decides whether a round is appended, begins a new file, or is skipped because no file can begin with it.
 * `recorded` is null when no file is open. Pure.
 */
export const planRound = (
  recorded: RecordedFacts | null,
  round: RoundFacts,
  longestSeconds: number,
): 'append' | 'begin' | 'skip' => {
  if (recorded !== null && fits(recorded, round)) {
    const isLong = round.startSeconds - recorded.startSeconds >= longestSeconds
    return isLong && round.isEntry ? 'begin' : 'append'
  }
  return round.isEntry ? 'begin' : 'skip'
}

const fits = (recorded: RecordedFacts, { tracks }: RoundFacts): boolean =>
  (['video', 'audio'] as const).every((kind) => {
    const track = tracks[kind]
    if (track?.firstDecodeTicks === undefined) return true
    const known = recorded.tracks[kind]
    if (known === undefined || !known.initSegment.equals(track.initSegment)) return false
    if (known.lastDecodeTicks === undefined) return true
    // Decode times must increase within a file, even when the clock of the publisher does not.
    return (
      track.firstDecodeTicks > known.lastDecodeTicks &&
      track.startSeconds - known.endSeconds <= longestHoleSeconds
    )
  })
