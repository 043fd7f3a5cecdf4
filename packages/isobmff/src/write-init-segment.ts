import type { Track } from './movie.ts'
import { ascii, u16, u32, u64, writeBox, writeFullBox } from './write-box.ts'

export type InitSegmentTrack = Pick<
  Track,
  | 'kind'
  | 'timescale'
  | 'sampleEntry'
  | 'widthPixels'
  | 'heightPixels'
  | 'rotationDegrees'
  | 'pixelAspectRatio'
  | 'language'
>

const trackId = 1

/**
 * A CMAF header (ISO/IEC 23000-19, 7.3.1): ftyp and moov of one track with id 1, no samples and no edit list, for
 * players differ in whether they honour one. The sample entry goes in as it is.
 */
export const writeInitSegment = (track: InitSegmentTrack): Buffer => {
  const ftyp = writeBox('ftyp', ascii('cmfc'), u32(0), ascii('cmfciso6mp41'))
  const mvex = writeBox('mvex', writeFullBox('trex', 0, 0, u32(trackId, 1, 0, 0, 0)))
  const moov = writeBox('moov', movieHeader(track.timescale), writeBox('trak', ...trackBoxes(track)), mvex)
  return Buffer.concat([ftyp, moov])
}

const unity = 0x1_0000
const identityMatrix = u32(unity, 0, 0, 0, unity, 0, 0, 0, 0x4000_0000)

const movieHeader = (timescale: number) =>
  writeFullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, timescale, 0, unity),
    u16(0x100, 0),
    u32(0, 0),
    identityMatrix,
    Buffer.alloc(24),
    u32(trackId + 1),
  )

const trackBoxes = (track: InitSegmentTrack): Buffer[] => [
  trackHeader(track),
  writeBox(
    'mdia',
    writeFullBox('mdhd', 0, 0, u32(0, 0, track.timescale, 0), u16(packLanguage(track.language), 0)),
    writeFullBox('hdlr', 0, 0, u32(0), ascii(handlers[track.kind]), u32(0, 0, 0), ascii('Zoetrope\0')),
    writeBox('minf', mediaHeaders[track.kind], selfContainedData, sampleTableBoxes(track.sampleEntry)),
  ),
]

const enabledInMovie = 3

/** ISO/IEC 14496-12, 8.3.2: the size is that for display, before the matrix turns it; sound is audible at volume 1. */
const trackHeader = (track: InitSegmentTrack) => {
  const [horizontal, vertical] = track.pixelAspectRatio
  const displayWidth = Math.round((track.widthPixels * horizontal * unity) / vertical)
  return writeFullBox(
    'tkhd',
    0,
    enabledInMovie,
    u32(0, 0, trackId, 0, 0, 0, 0),
    u16(0, 0, track.kind === 'audio' ? 0x100 : 0, 0),
    rotationMatrix(track),
    u32(displayWidth, track.heightPixels * unity),
  )
}

/** Turns clockwise about the origin and moves the picture back to where x and y are positive. */
const rotationMatrix = ({ rotationDegrees, widthPixels, heightPixels }: InitSegmentTrack) => {
  const width = widthPixels * unity
  const height = heightPixels * unity
  if (rotationDegrees === 90) return u32(0, unity, 0, -unity, 0, 0, height, 0, 0x4000_0000)
  if (rotationDegrees === 180) return u32(-unity, 0, 0, 0, -unity, 0, width, height, 0x4000_0000)
  if (rotationDegrees === 270) return u32(0, -unity, 0, unity, 0, 0, 0, width, 0x4000_0000)
  return identityMatrix
}

const packLanguage = (language: string): number => {
  const letters = Buffer.from(/^[a-z]{3}$/.test(language) ? language : 'und')
  return letters.reduce((packed, letter) => (packed << 5) | (letter - 0x60), 0)
}

const handlers = { video: 'vide', audio: 'soun', other: 'meta' } as const
const mediaHeaders = {
  video: writeFullBox('vmhd', 0, 1, u64(0)),
  audio: writeFullBox('smhd', 0, 0, u32(0)),
  other: writeFullBox('nmhd', 0, 0),
} as const
const selfContainedData = writeBox('dinf', writeFullBox('dref', 0, 0, u32(1), writeFullBox('url ', 0, 1)))

const sampleTableBoxes = (sampleEntry: Buffer) =>
  writeBox(
    'stbl',
    writeFullBox('stsd', 0, 0, u32(1), sampleEntry),
    writeFullBox('stts', 0, 0, u32(0)),
    writeFullBox('stsc', 0, 0, u32(0)),
    writeFullBox('stsz', 0, 0, u32(0, 0)),
    writeFullBox('stco', 0, 0, u32(0)),
  )
