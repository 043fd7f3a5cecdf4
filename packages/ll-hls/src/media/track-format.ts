import {
  describeSampleEntry,
  IsobmffError,
  joinInitSegments,
  readPictureSize,
  writeInitSegment,
  writeMpeg4AudioSampleEntry,
  writeOpusSampleEntry,
  writeVisualSampleEntry,
  type Track,
} from '@zoetrope/isobmff'

export type TrackKind = 'video' | 'audio'
/** A lower rung of the video: `v720`. */
export type LadderTrack = `v${number}`
export type TrackName = TrackKind | LadderTrack | MuxedTrack
export type MuxedTrack = 'av'

export const isLadderTrack = (track: string): track is LadderTrack => /^v\d+$/.test(track)

export type LiveVideoCodec = 'avc1' | 'hvc1' | 'av01'
export type LiveAudioCodec = 'mp4a' | 'Opus'

export interface TrackFormat {
  readonly kind: TrackKind
  /** RFC 6381 codec string. */
  readonly codec: string
  readonly timescale: number
  readonly initSegment: Buffer
  /** 0 for audio. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** 0 for video. */
  readonly channels: number
  readonly sampleRateHz: number
  /** Duration of each audio frame. 0 for video and for Opus, whose packets contain their duration. */
  readonly frameTicks: number
}

/** Distinct ids, so that video and audio fragments can be combined. */
export const trackIds: Readonly<Record<TrackKind, number>> = { video: 1, audio: 2 }

/** Represents milliseconds and the frame durations of all common rates exactly. */
export const videoTimescale = 90_000

const upright = { rotationDegrees: 0, pixelAspectRatio: [1, 1], language: 'und' } as const

/** Describes a video format from an avcC, hvcC or av1C body. Throws IsobmffError when it cannot be parsed. */
export const describeVideo = (fourCC: LiveVideoCodec, configuration: Buffer): TrackFormat => {
  const size = readPictureSize(fourCC, configuration)
  const sampleEntry = writeVisualSampleEntry(fourCC, configuration, size)
  const { codec } = describeSampleEntry(sampleEntry, 'video')
  const timescale = videoTimescale
  const initSegment = writeInitSegment({ kind: 'video', timescale, sampleEntry, ...size, ...upright })
  return {
    kind: 'video',
    codec,
    timescale,
    initSegment,
    ...size,
    channels: 0,
    sampleRateHz: 0,
    frameTicks: 0,
  }
}

/** Describes video that one of our encoders wrote to an MP4. */
export const formatOfTrack = ({ codec, sampleEntry, widthPixels, heightPixels }: Track): TrackFormat => {
  const size = { widthPixels, heightPixels }
  const timescale = videoTimescale
  const initSegment = writeInitSegment({ kind: 'video', timescale, sampleEntry, ...size, ...upright })
  return {
    kind: 'video',
    codec,
    timescale,
    initSegment,
    ...size,
    channels: 0,
    sampleRateHz: 0,
    frameTicks: 0,
  }
}

/**
 * Describes an audio format from an AudioSpecificConfig or an Opus identification header. Throws IsobmffError
 * when it cannot be parsed.
 */
export const describeAudio = (fourCC: LiveAudioCodec, configuration: Buffer): TrackFormat => {
  const facts = fourCC === 'mp4a' ? readMpeg4Audio(configuration) : readOpus(configuration)
  const { sampleEntry, ...format } = facts
  const pixels = { widthPixels: 0, heightPixels: 0 }
  const timescale = format.sampleRateHz
  const initSegment = writeInitSegment(
    { kind: 'audio', timescale, sampleEntry, ...pixels, ...upright },
    trackIds.audio,
  )
  return { kind: 'audio', timescale, initSegment, ...pixels, ...format }
}

/** Returns the muxed format, or null when an older process gave both tracks the same id. */
export const formatOfBoth = (video: TrackFormat, audio: TrackFormat): TrackFormat | null => {
  const initSegment = joinInitSegments([video.initSegment, audio.initSegment])
  return initSegment && { ...video, codec: `${video.codec},${audio.codec}`, initSegment }
}

const aacFrameSamples = 1024
/** Spectral band replication and parametric stereo: frames have twice as many samples at twice the rate. */
const doublesRate = /\.(5|29)$/
const usualSampleRateHz = 48_000
/**
 * HE-AAC at 8 kHz, the longest frames of any encoder. A configuration may contain any rate in 24 bits, but with one of a
 * few hertz a part would not last a tick, and a frame would last for minutes.
 */
const longestFrameSeconds = 0.256

const readMpeg4Audio = (configuration: Buffer) => {
  const first = describeSampleEntry(writeMpeg4AudioSampleEntry(configuration, 0, 2), 'audio')
  const { codec, channels } = first
  const sampleRateHz = first.sampleRateHz > 0 ? first.sampleRateHz : usualSampleRateHz
  const sampleEntry = writeMpeg4AudioSampleEntry(configuration, sampleRateHz, channels)
  const frameTicks = doublesRate.test(codec) ? 2 * aacFrameSamples : aacFrameSamples
  if (frameTicks / sampleRateHz > longestFrameSeconds)
    throw new IsobmffError('malformed', `A sample rate of ${sampleRateHz} Hz is too low.`)
  return { sampleEntry, codec, channels, sampleRateHz, frameTicks }
}

const readOpus = (configuration: Buffer) => {
  const { sampleEntry, channels } = writeOpusSampleEntry(configuration)
  return { sampleEntry, codec: 'opus', channels, sampleRateHz: usualSampleRateHz, frameTicks: 0 }
}
