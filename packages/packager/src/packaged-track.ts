import { writeInitSegment, type SampleTable, type Track } from '@zoetrope/isobmff'

/**
 * When every rendition starts, in seconds. Room before it holds what only primes decoders, so that no decode time is
 * negative and no edit list is needed.
 */
export const timelineStartSeconds = 1

/** What a manifest says of a track. */
export interface TrackDescription {
  readonly kind: 'video' | 'audio'
  /** RFC 6381. */
  readonly codec: string
  /** Ticks per second. */
  readonly timescale: number
  readonly initSegment: Buffer
  /** As coded; 0 for sound. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** Frames per second on average; 0 for sound. */
  readonly frameRate: number
  /** 0 for video. */
  readonly channels: number
  readonly sampleRateHz: number
  /** ISO 639-2. */
  readonly language: string
}

export interface PackagedSegment {
  /** Presentation time of its first sample, `timelineStartSeconds` included. */
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
  /** Of video: where its first picture, a key frame, ends; what an I-frame playlist names of it. */
  readonly keyFrameEndBytes?: number
}

export interface PackagedTrack extends TrackDescription {
  readonly segments: readonly PackagedSegment[]
  /** BANDWIDTH and AVERAGE-BANDWIDTH of RFC 8216, 4.3.4.2. */
  readonly peakBitsPerSecond: number
  readonly averageBitsPerSecond: number
}

/** Describes a video or audio track; `samples` are those that its frame rate is counted from. */
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

/** Of the last frame some programs only guess how long it lasts: till the sound ends. */
const framesPerSecond = (samples: SampleTable, timescale: number): number => {
  const counted = samples.count > 1 ? samples.durations.slice(0, samples.count - 1) : samples.durations
  const ticks = counted.reduce((sum, duration) => sum + duration, 0)
  return ticks === 0 ? 0 : (counted.length * timescale) / ticks
}
