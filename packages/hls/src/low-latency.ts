/** A part of a segment (RFC 8216bis 4.4.4.9). */
export interface Part {
  uri: string
  durationSeconds: number
  /** It begins with a key frame. */
  isIndependent?: boolean
  /** It is not there: nothing new begins in its time. */
  isGap?: boolean
}

/** What the server does for players (4.4.3.8). */
export interface ServerControl {
  /** It holds requests for playlists back until they have what the request asks for. */
  canBlockReload: boolean
  /** How far from the end players stay that load parts; at least twice, better three times the part target. */
  partHoldBackSeconds?: number
  /** The same for players that load whole segments; at least three times the target duration. */
  holdBackSeconds?: number
  /** Older segments may be left out on request; at least six times the target duration. */
  canSkipUntilSeconds?: number
}

/** How far another rendition has come (4.4.5.4). */
export interface RenditionReport {
  uri: string
  lastMediaSequence: number
  /** Counts from 0; left out where the rendition has no parts. */
  lastPart?: number
}

/** What a playlist for low latency has more than others. */
export interface LowLatencyFields {
  serverControl?: ServerControl
  /** No part is longer. Parts need it. */
  partTargetSeconds?: number
  /** A delta update (6.2.5.1): how many of the first segments are left out. `mediaSequence` counts them. */
  skippedSegments?: number
  /** The parts of the segment that is being made. */
  openParts?: readonly Part[]
  /** The next part, which may be asked for before it is there (4.4.5.3). */
  preloadHintUri?: string
  renditionReports?: readonly RenditionReport[]
}
