import type { SampleTable } from './sample-table.ts'

export type TrackKind = 'video' | 'audio' | 'other'

export interface Track {
  readonly id: number
  readonly kind: TrackKind
  /** Ticks per second. */
  readonly timescale: number
  /** RFC 6381 (`avc1.64001f`, `mp4a.40.2`, `hvc1…`), or the four-character code where it says no more. */
  readonly codec: string
  readonly fourCC: string
  /** The first box of the stsd, in the plain form of the standard where QuickTime wrote its own. */
  readonly sampleEntry: Buffer
  readonly sampleEntryCount: number
  readonly isEncrypted: boolean
  /** As coded: neither turned nor stretched. 0 for sound. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** Clockwise, for display: 0, 90, 180 or 270. */
  readonly rotationDegrees: number
  readonly pixelAspectRatio: readonly [horizontal: number, vertical: number]
  readonly channels: number
  readonly sampleRateHz: number
  /** ISO 639-2, `und` where unknown. */
  readonly language: string
  /** Added to decode time + composition offset it gives the movie's presentation time, in track ticks. */
  readonly presentationShiftTicks: number
  /** The media time at which the edit list begins to present; 0 without one. What lies before only primes decoders. */
  readonly mediaStartTicks: number
  /** More than one media edit, or one at another rate than 1. */
  readonly hasComplexEdits: boolean
  /** How long the edit list presents; undefined without one, or where it goes to the end. */
  readonly trimmedDurationTicks: number | undefined
  /** Empty for other kinds, and for raw audio (see `readSampleTable`). */
  readonly samples: SampleTable
}

export interface Movie {
  readonly tracks: readonly Track[]
  /** From the first to the last thing presented of video and audio. */
  readonly durationSeconds: number
  readonly isFragmented: boolean
  /** What keeping this object costs, for caches that count. */
  readonly memoryBytes: number
}
