/** A partial segment (RFC 8216bis 4.4.4.9). */
export interface Part {
  uri: string
  durationSeconds: number
  isIndependent?: boolean
  /** True when the part is unavailable; clients do not request it. */
  isGap?: boolean
}

/** Server capabilities (RFC 8216bis 4.4.3.8). */
export interface ServerControl {
  canBlockReload: boolean
  /**
   * Minimum distance from the live edge for clients that load parts. At least twice the part target; three
   * times is recommended.
   */
  partHoldBackSeconds?: number
  /**
   * Minimum distance from the live edge for clients that load whole segments. At least three times the target
   * duration.
   */
  holdBackSeconds?: number
  /** Age from which a delta update may skip segments. At least six times the target duration. */
  canSkipUntilSeconds?: number
}

/** Newest segment and part of another rendition (RFC 8216bis 4.4.5.4). */
export interface RenditionReport {
  uri: string
  lastMediaSequence: number
  /** Zero-based. Omitted when the rendition has no parts. */
  lastPart?: number
}

/** Fields of a media playlist that only Low-Latency HLS uses. */
export interface LowLatencyFields {
  serverControl?: ServerControl
  /** Maximum duration of a part. Required when the playlist contains parts. */
  partTargetSeconds?: number
  /**
   * Number of leading segments that a delta update omits (RFC 8216bis 6.2.5.1). `mediaSequence` still counts
   * them.
   */
  skippedSegments?: number
  /** Parts of the segment that is still being written. */
  openParts?: readonly Part[]
  /** URI of the next part, which clients may request before it exists (RFC 8216bis 4.4.5.3). */
  preloadHintUri?: string
  renditionReports?: readonly RenditionReport[]
}
