import type { LiveVideoCodec } from '@zoetrope/ll-hls'

/**
 * Input of ffmpeg: unbounded Matroska (RFC 9559) with a cluster for each frame. FLV has no HEVC and no AV1
 * there. For fragmented MP4, ffmpeg keeps an index entry of each fragment for as long as the stream lasts.
 */
export interface FeedTrack {
  readonly codec: LiveVideoCodec
  /** The avcC, hvcC or av1C record. */
  readonly configuration: Buffer
  readonly widthPixels: number
  readonly heightPixels: number
}

const codecIds = { avc1: 'V_MPEG4/ISO/AVC', hvc1: 'V_MPEGH/ISO/HEVC', av01: 'V_AV1' } as const
/** One tick is a hundredth of a millisecond. */
const nanosecondsPerTick = 10_000
const ticksPerMs = 100
const trackNumber = 1
const videoTrack = 1

const unsigned = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** Sizes use the longest form (RFC 8794, 4), because the overhead does not matter here. */
const element = (id: string, ...parts: readonly Buffer[]): Buffer => {
  const size = unsigned(parts.reduce((sum, { length }) => sum + length, 0))
  size[0] = 0x01
  return Buffer.concat([Buffer.from(id, 'hex'), size, ...parts])
}
const text = (id: string, value: string) => element(id, Buffer.from(value))
const number = (id: string, value: number) => element(id, unsigned(value))

const segmentWithoutEnd = Buffer.from('1853806701ffffffffffffff', 'hex')

export const feedHead = ({ codec, configuration, widthPixels, heightPixels }: FeedTrack): Buffer =>
  Buffer.concat([
    element('1a45dfa3', text('4282', 'matroska'), number('4287', 4), number('4285', 2)),
    segmentWithoutEnd,
    element(
      '1549a966',
      number('2ad7b1', nanosecondsPerTick),
      text('4d80', 'Zoetrope'),
      text('5741', 'Zoetrope'),
    ),
    element(
      '1654ae6b',
      element(
        'ae',
        ...[
          number('d7', trackNumber),
          number('73c5', trackNumber),
          number('83', videoTrack),
          number('9c', 0),
        ],
        ...[text('86', codecIds[codec]), element('63a2', configuration)],
        element('e0', number('b0', widthPixels), number('ba', heightPixels)),
      ),
    ),
  ])

const keyFrameFlag = 0x80

/** `atMs` is the presentation time, counted from the start of the feed. */
export const feedFrame = (atMs: number, isKeyFrame: boolean, data: Buffer): Buffer => {
  const blockHead = Buffer.from([0x80 | trackNumber, 0, 0, isKeyFrame ? keyFrameFlag : 0])
  return element('1f43b675', number('e7', Math.round(atMs * ticksPerMs)), element('a3', blockHead, data))
}
