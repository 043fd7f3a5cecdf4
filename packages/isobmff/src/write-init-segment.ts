import { mediaBox, movieHeader, trackHeader, type DescribedTrack } from './track-boxes.ts'
import { ascii, u32, writeBox, writeFullBox } from './write-box.ts'

export type InitSegmentTrack = DescribedTrack

const trackId = 1

/**
 * A CMAF header (ISO/IEC 23000-19, 7.3.1): ftyp and moov of one track with id 1, no samples and no edit list, for
 * players differ in whether they honour one. The sample entry goes in as it is.
 */
export const writeInitSegment = (track: InitSegmentTrack): Buffer => {
  const ftyp = writeBox('ftyp', ascii('cmfc'), u32(0), ascii('cmfciso6mp41'))
  const mvex = writeBox('mvex', writeFullBox('trex', 0, 0, u32(trackId, 1, 0, 0, 0)))
  const moov = writeBox(
    'moov',
    movieHeader({ timescale: track.timescale, durationTicks: 0, trackCount: 1 }),
    writeBox('trak', trackHeader(track, trackId, 0), mediaBox(track, 0, emptySampleTables)),
    mvex,
  )
  return Buffer.concat([ftyp, moov])
}

const emptySampleTables = [
  writeFullBox('stts', 0, 0, u32(0)),
  writeFullBox('stsc', 0, 0, u32(0)),
  writeFullBox('stsz', 0, 0, u32(0, 0)),
  writeFullBox('stco', 0, 0, u32(0)),
]
