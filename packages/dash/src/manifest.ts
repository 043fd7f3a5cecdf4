/**
 * A segment in ticks of the representation's timescale, on the media timeline before `timelineStartSeconds`
 * is subtracted.
 */
export interface TimelineSegment {
  /** Earliest presentation time in the segment; an integer. */
  startTicks: number
  /** A positive integer. */
  durationTicks: number
}

export interface Representation {
  /** Unique in the manifest; must not contain spaces. */
  id: string
  /** RFC 6381, e.g. `avc1.64001f`. */
  codecs: string
  /**
   * Bit rate at which playback never stalls once `minBufferTime` is buffered: the peak segment bit rate, an
   * integer.
   */
  bandwidthBitsPerSecond: number
  widthPixels?: number
  heightPixels?: number
  /** Frames per second. NTSC rates such as 29.97 are written as fractions. */
  frameRate?: number
  sampleRateHz?: number
  channels?: number
  timescale: number
  initUri: string
  /** URI template in which `$Number$` stands for the segment number: `r5/$Number$.m4s`. */
  mediaUriTemplate: string
  startNumber: number
  /** Ordered, without overlap, and never empty. */
  segments: readonly TimelineSegment[]
}

export interface AdaptationSet {
  kind: 'video' | 'audio'
  /** BCP 47 language tag. */
  language?: string
  /** Display name in the player's menu, set when the viewer has a choice. */
  label?: string
  /** Default selection, set when the viewer has a choice. */
  isDefault?: boolean
  representations: readonly Representation[]
}

/** A sidecar WebVTT file. Its times start at the beginning of the presentation. */
export interface TextTrack {
  /** Unique in the manifest; must not contain spaces. */
  id: string
  uri: string
  /** BCP 47 language tag. */
  language: string
  label: string
  /** Captions also describe sounds. */
  role: 'subtitle' | 'caption'
  isDefault: boolean
  bandwidthBitsPerSecond: number
}

export interface Manifest {
  durationSeconds: number
  /** Position of the presentation's start on the media timeline. */
  timelineStartSeconds: number
  adaptationSets: readonly AdaptationSet[]
  textTracks?: readonly TextTrack[]
}

/** A part of a live presentation without discontinuities. */
export interface LivePeriod {
  /** Unique in the manifest and constant across updates. */
  id: string
  /** Period start, relative to `availableFrom`. */
  startSeconds: number
  /** Period start on the media timeline. */
  timelineStartSeconds: number
  adaptationSets: readonly AdaptationSet[]
}

/** A live presentation, whose manifest players reload, or one that has just ended, with the same periods. */
export interface LiveManifest {
  hasEnded: boolean
  availableFrom: Date
  publishedAt: Date
  /** Length of the DVR window. */
  windowSeconds: number
  /** Recommended distance from the live edge. */
  delaySeconds: number
  /** Minimum interval between manifest updates. */
  updateSeconds: number
  /** Endpoint that returns the time in ISO 8601, so that players do not depend on the device clock. */
  timeUri: string
  periods: readonly LivePeriod[]
}
