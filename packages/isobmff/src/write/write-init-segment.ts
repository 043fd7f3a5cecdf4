import { mediaBox, movieHeader, trackHeader, type DescribedTrack } from '../movie/track-boxes.ts'
import { ascii, u32, writeBox, writeFullBox } from '../boxes/write-box.ts'

export type InitSegmentTrack = DescribedTrack

/**
 * Returns a CMAF header (ISO/IEC 23000-19, 7.3.1): ftyp and moov of one track with an unmodified sample
 * entry. It has no samples, and no edit list, because players differ in their support for one.
 */
export const writeInitSegment = (track: InitSegmentTrack, trackId = 1): Buffer =>
  Buffer.concat([
    writeBox('ftyp', ascii('cmfc'), u32(0), ascii('cmfciso6mp41')),
    writeFragmentedMovieBox([track], trackId),
  ])

/**
 * Returns a moov for tracks whose samples follow in fragments. Track ids are consecutive from `firstTrackId`.
 */
export const writeFragmentedMovieBox = (tracks: readonly DescribedTrack[], firstTrackId = 1): Buffer =>
  writeBox(
    'moov',
    movieHeader({
      timescale: tracks[0]?.timescale ?? 1,
      durationTicks: 0,
      nextTrackId: firstTrackId + tracks.length,
    }),
    ...tracks.map((track, index) =>
      writeBox('trak', trackHeader(track, firstTrackId + index, 0), mediaBox(track, 0, emptySampleTables)),
    ),
    writeBox(
      'mvex',
      ...tracks.map((_, index) => writeFullBox('trex', 0, 0, u32(firstTrackId + index, 1, 0, 0, 0))),
    ),
  )

const emptySampleTables = [
  writeFullBox('stts', 0, 0, u32(0)),
  writeFullBox('stsc', 0, 0, u32(0)),
  writeFullBox('stsz', 0, 0, u32(0, 0)),
  writeFullBox('stco', 0, 0, u32(0)),
]
