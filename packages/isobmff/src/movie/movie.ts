import type { SampleTable } from './sample-table.ts'

export type TrackKind = 'video' | 'audio' | 'other'

export interface Track {
  readonly id: number
  readonly kind: TrackKind
  readonly timescale: number
  /**
   * RFC 6381 codec (`avc1.64001f`, `mp4a.40.2`, `hvc1…`), or the four-character code when no more is known.
   */
  readonly codec: string
  readonly fourCC: string
  /** First box of the stsd. QuickTime sample entries are converted to the standard form. */
  readonly sampleEntry: Buffer
  readonly sampleEntryCount: number
  readonly isEncrypted: boolean
  /** Coded size, before rotation and pixel aspect ratio. 0 for audio. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** Clockwise display rotation: 0, 90, 180 or 270. */
  readonly rotationDegrees: number
  /** Whether the matrices of the movie and the track leave the picture as it is, except for its position. */
  readonly isUntransformed: boolean
  /** Size in the track header, for display. 0 for audio. */
  readonly displayWidthPixels: number
  readonly displayHeightPixels: number
  readonly pixelAspectRatio: readonly [horizontal: number, vertical: number]
  readonly channels: number
  readonly sampleRateHz: number
  /** ISO 639-2 code, `und` when unknown. */
  readonly language: string
  /** Whether `language` is what the file states: it has a code of ISO 639-2, or none. */
  readonly isLanguageRead: boolean
  /** Whether the track has metadata of its own, such as a title. */
  readonly hasMetadata: boolean
  /** Decode time + composition offset + this shift is the presentation time of the movie, in track ticks. */
  readonly presentationShiftTicks: number
  /**
   * Media time at which the edit list starts presentation, or 0 without one. Earlier samples only prime the
   * decoder.
   */
  readonly mediaStartTicks: number
  /** True when the edit list has several media edits or a rate other than 1. */
  readonly hasComplexEdits: boolean
  /**
   * Duration that the edit list presents. Undefined without an edit list, or when the edit extends to the
   * end.
   */
  readonly trimmedDurationTicks: number | undefined
  /** Empty for other kinds and for raw audio (see `readSampleTable`). */
  readonly samples: SampleTable
}

export interface Movie {
  readonly tracks: readonly Track[]
  /** Presentation time of the first picture or audio sample after priming. Considers the first track of each kind. */
  readonly startSeconds: number
  /** Time from the first to the last presented video or audio sample. */
  readonly durationSeconds: number
  readonly isFragmented: boolean
  /** Memory cost of this object, for size-limited caches. */
  readonly memoryBytes: number
}
