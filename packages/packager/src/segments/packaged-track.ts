import { writeInitSegment, type SampleTable, type Track } from '@zoetrope/isobmff'

/**
 * Start of every rendition, in seconds. The time before it contains samples that only prime decoders, so no
 * decode time is negative and no edit list is needed.
 */
export const timelineStartSeconds = 1

export interface TrackDescription {
  readonly kind: 'video' | 'audio'
  /** RFC 6381 codec string. */
  readonly codec: string
  readonly timescale: number
  readonly initSegment: Buffer
  /** Coded size; 0 for audio. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** Average frames per second; 0 for audio. */
  readonly frameRate: number
  /** 0 for video. */
  readonly channels: number
  readonly sampleRateHz: number
  /** ISO 639-2 code. */
  readonly language: string
}

export interface PackagedSegment {
  /** Presentation time of the first sample, including `timelineStartSeconds`. */
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
  /**
   * End of the first picture, a key frame, in bytes. An I-frame playlist lists this range. Set for video
   * only.
   */
  readonly keyFrameEndBytes?: number
}

export interface PackagedTrack extends TrackDescription {
  readonly segments: readonly PackagedSegment[]
  /** BANDWIDTH and AVERAGE-BANDWIDTH of RFC 8216, 4.3.4.2. */
  readonly peakBitsPerSecond: number
  readonly averageBitsPerSecond: number
}

/** Describes a video or audio track. The frame rate is measured over `samples`. */
export const describeTrack = (track: Track, samples: SampleTable): TrackDescription => ({
  kind: track.kind === 'audio' ? 'audio' : 'video',
  codec: track.codec,
  timescale: track.timescale,
  initSegment: writeInitSegment(track),
  widthPixels: track.widthPixels,
  heightPixels: track.heightPixels,
  frameRate: track.kind === 'video' ? framesPerSecond(samples, track.timescale) : 0,
  channels: track.channels,
  sampleRateHz: track.sampleRateHz,
  language: track.language,
})

/** Ignores the last frame, because some encoders extend it to the end of the audio. */
const framesPerSecond = ({ count, durations }: SampleTable, timescale: number): number => {
  const counted = count > 1 ? count - 1 : count
  let ticks = 0
  for (let index = 0; index < counted; index++) ticks += durations[index]!
  return ticks === 0 ? 0 : (counted * timescale) / ticks
}
