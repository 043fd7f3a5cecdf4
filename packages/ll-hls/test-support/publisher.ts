import type { AudioUnit, LivePackager, VideoUnit } from '../src/index.ts'

/** avcC of 320 × 180 video, as written by x264. */
export const avcConfiguration = Buffer.from(
  '0142c00cffe100176742c00cda05067e7c0440000003004000000c83c50aa801000468ce0fc8',
  'hex',
)
/** AudioSpecificConfig of stereo AAC-LC. */
export const aacConfiguration = (sampleRateHz: 44_100 | 48_000): Buffer =>
  Buffer.from(sampleRateHz === 48_000 ? '1190' : '1210', 'hex')

export interface PublisherShape {
  readonly seconds: number
  /** Exact decode times of the pictures; undefined for audio only. */
  readonly pictureMs?: (index: number) => number
  readonly isKey?: (index: number, ms: number) => boolean
  readonly compositionMs?: (index: number) => number
  readonly sampleRateHz?: 44_100 | 48_000
  readonly audioFromMs?: number
  /** Rate of the audio clock relative to the publisher's clock. */
  readonly audioDrift?: number
  readonly startMs?: number
  readonly pictureBytes?: number
}

export type PublishedUnit =
  | { readonly kind: 'video'; readonly unit: VideoUnit }
  | { readonly kind: 'audio'; readonly unit: AudioUnit }

/**
 * Returns the frames as an RTMP encoder sends them: timestamps truncated to milliseconds, both kinds in time
 * order.
 */
export const unitsOf = (shape: PublisherShape): PublishedUnit[] => {
  const { seconds, pictureMs, sampleRateHz, startMs = 0, audioFromMs = 0, audioDrift = 1 } = shape
  const units: PublishedUnit[] = []
  for (let index = 0; pictureMs && pictureMs(index) < seconds * 1_000; index++) {
    const ms = pictureMs(index)
    const unit = {
      decodeMs: startMs + Math.floor(ms),
      compositionMs: Math.floor(shape.compositionMs?.(index) ?? 0),
      isKeyFrame: shape.isKey?.(index, ms) ?? true,
      data: Buffer.alloc(shape.pictureBytes ?? 100, index),
    }
    units.push({ kind: 'video', unit })
  }
  const frameMs = sampleRateHz ? (1_024_000 / sampleRateHz) * audioDrift : 0
  for (let index = 0; sampleRateHz && index * frameMs < seconds * 1_000; index++) {
    if (index * frameMs < audioFromMs) continue
    const unit = { timestampMs: startMs + Math.floor(index * frameMs), data: Buffer.alloc(20, index) }
    units.push({ kind: 'audio', unit })
  }
  return units.toSorted((a, b) => timeOf(a) - timeOf(b))
}

const timeOf = (item: PublishedUnit) => (item.kind === 'video' ? item.unit.decodeMs : item.unit.timestampMs)

export const announce = (packager: LivePackager, { pictureMs, sampleRateHz }: PublisherShape): void => {
  if (pictureMs) packager.setVideo('avc1', avcConfiguration)
  if (sampleRateHz) packager.setAudio('mp4a', aacConfiguration(sampleRateHz))
}

export const send = (packager: LivePackager, item: PublishedUnit): void =>
  item.kind === 'video' ? packager.addVideo(item.unit) : packager.addAudio(item.unit)
