import type { TrackKind } from '@zoetrope/live'

/** What a track brings in one round. */
export interface RoundTrack {
  readonly initSegment: Buffer
  /** Undefined where it holds nothing. */
  readonly firstDecodeTicks: number | undefined
  readonly startSeconds: number
}

export interface RoundFacts {
  readonly tracks: Partial<Record<TrackKind, RoundTrack>>
  /** A file may begin with it. */
  readonly isEntry: boolean
  readonly startSeconds: number
}

/** What the file that is being written holds of a track. */
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

/** A longer hole keeps a file from being served as it is (`inPlaceOptions`). */
const longestHoleSeconds = 10

/**
 * What becomes of a round: it goes on the file, or into a new one, or nowhere, because no file can begin with it. `recorded` is null where there is no
 * file yet. Pure.
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
    // Time runs forward in a file, whatever the publisher's clock does.
    return (
      track.firstDecodeTicks > known.lastDecodeTicks &&
      track.startSeconds - known.endSeconds <= longestHoleSeconds
    )
  })
