import {
  createSampleTable,
  writeAacSampleEntry,
  writeInitSegment,
  writeMediaSegment,
  type InitSegmentTrack,
} from '@zoetrope/isobmff'
import { silentFrame } from './silent-frames.ts'

/** Generates segments of any length that replace missing audio or video in a stream. */
export interface Filler {
  /** RFC 6381 codec string. */
  readonly codec: string
  readonly timescale: number
  readonly initSegment: Buffer
  /** Frame duration. Audio consists of whole frames, so its durations are rounded up to a multiple of it. */
  readonly frameTicks: number
  readonly segment: (startTicks: number, durationTicks: number) => Buffer
}

interface Frames {
  readonly ticks: number
  /** A picture may be shortened; an audio frame may not. */
  readonly isLastShortened: boolean
  readonly bytes: readonly Buffer[]
}

const createFiller = (codec: string, track: InitSegmentTrack, frames: Frames): Filler => ({
  codec,
  timescale: track.timescale,
  initSegment: writeInitSegment(track),
  frameTicks: frames.ticks,
  segment: (startTicks, durationTicks) => {
    const count = Math.max(1, Math.ceil(durationTicks / frames.ticks))
    const data = Array.from({ length: count }, (_, index) => frames.bytes[index % frames.bytes.length]!)
    const table = createSampleTable(count)
    for (const [index, { length }] of data.entries()) {
      table.sizes[index] = length
      table.durations[index] = frames.ticks
      table.decodeTimes[index] = index * frames.ticks
      table.isSync[index] = 1
    }
    if (frames.isLastShortened) table.durations[count - 1] = durationTicks - (count - 1) * frames.ticks
    return Buffer.concat(
      writeMediaSegment({
        sequenceNumber: 1,
        baseDecodeTime: startTicks,
        table,
        firstSample: 0,
        sampleCount: count,
        data,
      }),
    )
  },
})

const upright = { rotationDegrees: 0, pixelAspectRatio: [1, 1], language: 'und' } as const

const aacFrameTicks = 1024
/**
 * Returns silent AAC-LC. Throws RangeError for a sample rate that AAC does not support and for more than two
 * channels.
 */
export const silence = (sampleRateHz: number, channels: number): Filler =>
  createFiller(
    'mp4a.40.2',
    {
      ...upright,
      kind: 'audio',
      timescale: sampleRateHz,
      sampleEntry: writeAacSampleEntry(sampleRateHz, channels),
      widthPixels: 0,
      heightPixels: 0,
    },
    { ticks: aacFrameTicks, isLastShortened: false, bytes: [silentFrame(channels) ?? Buffer.alloc(0)] },
  )

/** avc1 sample entry of x264 (Main profile, 640×360), without a pasp or btrt box. */
const blackSampleEntry = Buffer.from(
  'AAAAhmF2YzEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAACgAFoAEgAAABIAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAY//8AAAAwYXZjQwFNQBb/4QAYZ01AFtwKAv+XARAAAAMAEAAAAwAg8WL4AQAFaO4PLIA=',
  'base64',
)

/**
 * Two black key frames for this entry. Consecutive IDR pictures must differ in idr_pic_id (ITU-T H.264,
 * 7.4.3), so the two alternate.
 */
const blackFrames = [
  'AAAAWmWIhAS//vet34FNwys1a7pXOLTLq5Q0PVH2lKZ4tkgAAAMAAAMAAA/wzb6fURXXl6YAAAMAfgARwFmC1h1BcBqB3igjqFMIAQAAAwAAAwAAAwAAAwAAAwABbw==',
  'AAAAW2WIggF//vfUt8yy7gcitguo96KeJl9DdSUBm5bE7TqAAAADAAADAAAevBc4Al+JCvOvAAADAMqAFwB7g+wlQhogoiopA/hlCFDpGUAAAAMAAAMAAAMAAAMAwIA=',
].map((text) => Buffer.from(text, 'base64'))

/** One black H.264 picture per second, encoded for broad decoder support. */
export const blackVideo: Filler = createFiller(
  'avc1.4d4016',
  {
    ...upright,
    kind: 'video',
    timescale: 1_000,
    sampleEntry: blackSampleEntry,
    widthPixels: 640,
    heightPixels: 360,
  },
  { ticks: 1_000, isLastShortened: true, bytes: blackFrames },
)
