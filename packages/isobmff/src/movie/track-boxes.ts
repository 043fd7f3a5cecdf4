import type { Track } from './movie.ts'
import { ascii, u16, u32, u64, writeBox, writeFullBox } from '../boxes/write-box.ts'

export type DescribedTrack = Pick<
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

const unity = 0x1_0000
const identityMatrix = u32(unity, 0, 0, 0, unity, 0, 0, 0, 0x4000_0000)
const max32Bits = 0xffff_ffff

/**
 * Writes an mvhd, tkhd or mdhd: creation and modification time, the fields in between, and the duration. Uses
 * version 1 when the duration exceeds 32 bits.
 */
const timedFullBox = (
  type: string,
  flags: number,
  between: Buffer,
  duration: number,
  rest: readonly Buffer[],
) =>
  duration > max32Bits
    ? writeFullBox(type, 1, flags, u64(0), u64(0), between, u64(duration), ...rest)
    : writeFullBox(type, 0, flags, u32(0, 0), between, u32(duration), ...rest)

/** mvhd of ISO/IEC 14496-12, 8.2.2. The duration is 0 when fragments follow. */
export const movieHeader = (movie: {
  timescale: number
  durationTicks: number
  nextTrackId: number
}): Buffer =>
  timedFullBox('mvhd', 0, u32(movie.timescale), movie.durationTicks, [
    u32(unity),
    u16(0x100, 0),
    u32(0, 0),
    identityMatrix,
    Buffer.alloc(24),
    u32(movie.nextTrackId),
  ])

const enabledInMovie = 3

/**
 * tkhd of ISO/IEC 14496-12, 8.3.2. The size is for display, before the matrix is applied. Audio requires
 * volume 1. The duration is in movie ticks.
 */
export const trackHeader = (track: DescribedTrack, trackId: number, durationTicks: number): Buffer => {
  const [horizontal, vertical] = track.pixelAspectRatio
  const displayWidth = Math.round((track.widthPixels * horizontal * unity) / vertical)
  return timedFullBox('tkhd', enabledInMovie, u32(trackId, 0), durationTicks, [
    u32(0, 0),
    u16(0, 0, track.kind === 'audio' ? 0x100 : 0, 0),
    rotationMatrix(track),
    u32(displayWidth, track.heightPixels * unity),
  ])
}

/** Rotates clockwise about the origin and translates the picture to positive coordinates. */
const rotationMatrix = ({ rotationDegrees, widthPixels, heightPixels }: DescribedTrack) => {
  const width = widthPixels * unity
  const height = heightPixels * unity
  if (rotationDegrees === 90) return u32(0, unity, 0, -unity, 0, 0, height, 0, 0x4000_0000)
  if (rotationDegrees === 180) return u32(-unity, 0, 0, 0, -unity, 0, width, height, 0x4000_0000)
  if (rotationDegrees === 270) return u32(0, -unity, 0, unity, 0, 0, 0, width, 0x4000_0000)
  return identityMatrix
}

/**
 * mdia of ISO/IEC 14496-12, 8.4. `tables` are the stbl boxes after the sample description. The duration is in
 * track ticks.
 */
export const mediaBox = (track: DescribedTrack, durationTicks: number, tables: readonly Buffer[]): Buffer =>
  writeBox(
    'mdia',
    timedFullBox('mdhd', 0, u32(track.timescale), durationTicks, [u16(packLanguage(track.language), 0)]),
    writeFullBox('hdlr', 0, 0, u32(0), ascii(handlers[track.kind]), u32(0, 0, 0), ascii('Zoetrope\0')),
    writeBox(
      'minf',
      mediaHeaders[track.kind],
      selfContainedData,
      writeBox('stbl', writeFullBox('stsd', 0, 0, u32(1), track.sampleEntry), ...tables),
    ),
  )

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
