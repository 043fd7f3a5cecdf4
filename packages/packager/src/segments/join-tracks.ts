import { IsobmffError } from '@zoetrope/isobmff'
import { measureBitRates } from './bit-rates.ts'
import {
  timelineStartSeconds,
  type PackagedSegment,
  type PackagedTrack,
  type TrackDescription,
} from './packaged-track.ts'

export interface TrackPiece {
  readonly track: Omit<TrackDescription, 'initSegment'>
  readonly initSegmentHash: string
  readonly segments: readonly PackagedSegment[]
}

/**
 * Joins separately packaged pieces into one track without moving segments. Each piece was packaged with its
 * preceding segments.
 *
 * `null` stands for an empty piece, which may occur only at the end. Throws IsobmffError when the pieces do
 * not fit together.
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
      throw new IsobmffError('malformed', 'The pieces of the track need different decoder settings.')
    for (const segment of piece.segments) {
      if (segment.startTicks !== endTicks)
        throw new IsobmffError('malformed', 'The pieces of the track are not contiguous.')
      endTicks += segment.durationTicks
      segments.push(segment)
    }
  }
  return { ...first.track, segments, ...measureBitRates(segments, timescale) }
}
