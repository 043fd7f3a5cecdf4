/** In ticks of the representation's timescale, on the media's own timeline, not yet moved by `timelineStartSeconds`. */
export interface TimelineSegment {
  /** The earliest presentation time in the segment; whole. */
  startTicks: number
  /** Whole and positive. */
  durationTicks: number
}

export interface Representation {
  /** Unique in the manifest, without spaces. */
  id: string
  /** RFC 6381, e.g. `avc1.64001f`. */
  codecs: string
  /** The rate at which, after `minBufferTime`, playing never stalls: the peak segment bit rate; a whole number. */
  bandwidthBitsPerSecond: number
  widthPixels?: number
  heightPixels?: number
  /** Frames per second; 29.97 and its like are written as the rational that they stand for. */
  frameRate?: number
  sampleRateHz?: number
  channels?: number
  /** Ticks per second. */
  timescale: number
  initUri: string
  /** `$Number$` stands for the segment's number: `r5/$Number$.m4s`. */
  mediaUriTemplate: string
  /** The number of the first segment. */
  startNumber: number
  /** In order, without overlap, at least one. */
  segments: readonly TimelineSegment[]
}

export interface AdaptationSet {
  kind: 'video' | 'audio'
  /** BCP 47. */
  language?: string
  /** What people read in a menu, where there is something to choose. */
  label?: string
  /** Where there is something to choose: played unless the viewer wants another. */
  isDefault?: boolean
  /** At least one. */
  representations: readonly Representation[]
}

/** A whole WebVTT file beside the media; its times count from the start of the presentation. */
export interface TextTrack {
  /** Unique in the manifest, without spaces. */
  id: string
  uri: string
  /** BCP 47. */
  language: string
  /** What people read in a menu. */
  label: string
  /** Captions also tell of sounds. */
  role: 'subtitle' | 'caption'
  isDefault: boolean
  bandwidthBitsPerSecond: number
}

export interface Manifest {
  durationSeconds: number
  /** Where zero of the presentation lies on the media's timeline. */
  timelineStartSeconds: number
  adaptationSets: readonly AdaptationSet[]
  textTracks?: readonly TextTrack[]
}

/** A stretch of a live presentation without a break. */
export interface LivePeriod {
  /** Unique in the manifest, and the same in all that follow. */
  id: string
  /** Where it begins, from when the presentation became available. */
  startSeconds: number
  /** The same place on the media's own timeline. */
  timelineStartSeconds: number
  adaptationSets: readonly AdaptationSet[]
}

/** A presentation that goes on: players ask for the manifest again. Or one that has just ended, with the same periods. */
export interface LiveManifest {
  hasEnded: boolean
  availableFrom: Date
  publishedAt: Date
  /** How far back viewers may go. */
  windowSeconds: number
  /** How far from the newest players stay. */
  delaySeconds: number
  /** How soon a new manifest may be there. */
  updateSeconds: number
  /** Answers the time in ISO 8601, so that players need not trust the clock of their device. */
  timeUri: string
  periods: readonly LivePeriod[]
}
