import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { ascii, u16, u32, writeBox, writeFullBox } from '../../isobmff/src/boxes/write-box.ts'

interface VideoTrack {
  readonly id: number
  readonly codec: string
  readonly samples: number
  /** Size of each sample. */
  readonly sampleBytes: number
  readonly dataOffset: number
}

const unityMatrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const sampleTicks = 40
const durationTicks = 1_200

const pictureEntry = (codec: string): Buffer =>
  writeBox(
    codec,
    ...[Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(160, 90), u32(0x480000, 0x480000, 0), u16(1)],
    ...[Buffer.alloc(32), u16(24, 0xffff)],
  )

/** ISO/IEC 14496-12, 8.3 to 8.7: one chunk with samples of the same size. */
const videoTrack = ({ id, codec, samples, sampleBytes, dataOffset }: VideoTrack): Buffer =>
  writeBox(
    'trak',
    writeFullBox(
      ...(['tkhd', 0, 3] as const),
      ...[u32(0, 0, id, 0, durationTicks, 0, 0, 0, 0), unityMatrix, u32(160 << 16, 90 << 16)],
    ),
    writeBox(
      'mdia',
      writeFullBox('mdhd', 0, 0, u32(0, 0, 1_000, durationTicks, 0x55c40000)),
      writeFullBox('hdlr', 0, 0, u32(0), ascii('vide'), Buffer.alloc(13)),
      writeBox(
        'minf',
        writeFullBox('vmhd', 0, 1, u32(0, 0)),
        writeBox('dinf', writeFullBox('dref', 0, 0, u32(1), writeFullBox('url ', 0, 1))),
        writeBox(
          'stbl',
          writeFullBox('stsd', 0, 0, u32(1), pictureEntry(codec)),
          writeFullBox('stts', 0, 0, u32(1, samples, sampleTicks)),
          writeFullBox('stsc', 0, 0, u32(1, 1, samples, 1)),
          writeFullBox('stsz', 0, 0, u32(sampleBytes, samples)),
          writeFullBox('stco', 0, 0, u32(1, dataOffset)),
        ),
      ),
    ),
  )

const fileType = (brand: string): Buffer => writeBox('ftyp', ascii(brand), u32(0), ascii(brand))
const dataOffset = fileType('isom').length + 8

type MovieTrack = Omit<VideoTrack, 'dataOffset' | 'id'>

const index = (tracks: readonly MovieTrack[], ...others: readonly Buffer[]): Buffer =>
  writeBox(
    'moov',
    writeFullBox(
      ...(['mvhd', 0, 0] as const),
      ...[u32(0, 0, 1_000, durationTicks, 0x10000, 0x01000000, 0, 0), unityMatrix, Buffer.alloc(24)],
      u32(tracks.length + 1),
    ),
    ...tracks.map((track, number) => videoTrack({ ...track, dataOffset, id: number + 1 })),
    ...others,
  )

const movie = (brand: string, data: Buffer, moov: Buffer): Buffer =>
  Buffer.concat([fileType(brand), writeBox('mdat', data), moov])

interface SampleBomb {
  readonly tracks: number
  readonly samples: number
}

const claimingTracks = ({ tracks, samples }: SampleBomb): MovieTrack[] =>
  Array.from({ length: tracks }, () => ({ codec: 'mp4v', samples, sampleBytes: 1 }))

/** An MP4 of a few kilobytes whose index takes 24 bytes of memory for each of its samples of one byte. */
export const sampleBomb = (bomb: SampleBomb): Buffer =>
  movie('isom', Buffer.alloc(6_000), index(claimingTracks(bomb)))

/** A QuickTime film with the same index, compressed (QuickTime File Format, "Compressed movie resources"). */
export const compressedBomb = (bomb: SampleBomb): Buffer => {
  const moov = index(claimingTracks(bomb))
  const cmvd = writeBox('cmvd', u32(moov.length), deflateSync(moov))
  const cmov = writeBox('cmov', writeBox('dcom', ascii('zlib')), cmvd)
  return movie('qt  ', Buffer.alloc(6_000), writeBox('moov', cmov))
}

/** A fragmented MP4 whose first fragment claims the samples (ISO/IEC 14496-12, 8.8). */
export const fragmentBomb = ({ tracks, samples }: SampleBomb): Buffer => {
  const ids = Array.from({ length: tracks }, (_, number) => number + 1)
  const defaults = ids.map((id) => writeFullBox('trex', 0, 0, u32(id, 1, sampleTicks, 1, 0)))
  const runs = ids.map((id) =>
    writeBox('traf', writeFullBox('tfhd', 0, 0x2_0000, u32(id)), writeFullBox('trun', 0, 1, u32(samples, 0))),
  )
  const moov = index(claimingTracks({ tracks, samples: 0 }), writeBox('mvex', ...defaults))
  const moof = writeBox('moof', writeFullBox('mfhd', 0, 0, u32(1)), ...runs)
  return Buffer.concat([fileType('isom'), moov, moof, writeBox('mdat', Buffer.alloc(6_000))])
}

/** Returns a zlib stream (RFC 1950) of so many zeros, from the same compressed piece over and over. */
const deflatedZeros = (mebibytes: number): Buffer => {
  const piece = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH, level: 9 })
  const lastBlock = Buffer.from([3, 0])
  const adler32 = ((mebibytes * 2 ** 20) % 65_521) * 65_536 + 1
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array<Buffer>(mebibytes).fill(piece),
    lastBlock,
    u32(adler32),
  ])
}

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([ascii(type), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

/** A PNG whose colour profile has 1 GiB when it is decompressed. */
const profileBombPng = (): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.concat([u32(160, 90), Buffer.from([8, 2, 0, 0, 0])])),
    pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflatedZeros(1_024)])),
    pngChunk('IDAT', deflateSync(Buffer.alloc(90 * (1 + 160 * 3)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

/** A QuickTime film of eight such pictures. */
export const profileBomb = (): Buffer => {
  const png = profileBombPng()
  const data = Buffer.concat(Array<Buffer>(8).fill(png))
  return movie('qt  ', data, index([{ codec: 'png ', samples: 8, sampleBytes: png.length }]))
}
