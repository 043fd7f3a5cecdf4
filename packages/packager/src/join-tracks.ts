import { IsobmffError } from '@zoetrope/isobmff'
import { measureBitRates } from './bit-rates.ts'
import {
  timelineStartSeconds,
  type PackagedSegment,
  type PackagedTrack,
  type TrackDescription,
} from './packaged-track.ts'

/** What was packaged of a part of a track. */
export interface TrackPiece {
  readonly track: Omit<TrackDescription, 'initSegment'>
  /** Of its init segment. */
  readonly initSegmentHash: string
  readonly segments: readonly PackagedSegment[]
}

/**
 * Makes one track of pieces that were packaged with what precedes each of them. Nothing is written: the segments lie where they belong already.
 * `null` stands for a piece that came out empty, as those behind the end do. Throws IsobmffError where pieces do not fit together.
 */
export const joinTracks = (pieces: readonly (TrackPiece | null)[]): Omit<PackagedTrack, 'initSegment'> => {
  const [first] = pieces
  if (first == null) throw new IsobmffError('malformed', 'The first piece of the track is empty.')
  const { timescale } = first.track
  const segments: PackagedSegment[] = []
  let endTicks = timelineStartSeconds * timescale
  for (const piece of pieces.slice(0, pieces.findLastIndex((one) => one !== null) + 1)) {
    if (piece === null) throw new IsobmffError('malformed', 'A piece in the middle of the track is empty.')
    if (piece.initSegmentHash !== first.initSegmentHash)
      throw new IsobmffError('malformed', 'The pieces of the track want different decoder settings.')
    for (const segment of piece.segments) {
      if (segment.startTicks !== endTicks)
        throw new IsobmffError('malformed', 'The pieces of the track do not lie end to end.')
      endTicks += segment.durationTicks
      segments.push(segment)
    }
  }
  return { ...first.track, segments, ...measureBitRates(segments, timescale) }
}
