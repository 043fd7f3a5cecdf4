import type { LowLatencyFields, Part } from './low-latency.ts'

/** A byte range of a resource (RFC 8216bis 4.4.4.2). */
export interface ByteRange {
  offsetBytes: number
  lengthBytes: number
}

/** Properties of a segment that are known before the segment is complete. */
export interface SegmentStart {
  /** True when the timeline, encoding or tracks differ from the previous segment (EXT-X-DISCONTINUITY). */
  discontinuity?: boolean
  programDateTime?: Date
  /** Set when the init segment changes; applies until the next change. */
  initUri?: string
}

export interface Segment extends SegmentStart {
  uri: string
  /** When omitted, the segment is the whole resource. */
  byteRange?: ByteRange
  durationSeconds: number
  /** The segment is unavailable; players skip it (RFC 8216bis 4.4.4.7). */
  isGap?: boolean
  /** Parts of the segment, while the playlist still lists them. */
  parts?: readonly Part[]
}

/**
 * A media playlist (RFC 8216bis 4.4.3) of CMAF or WebVTT segments. Each CMAF segment requires the init
 * segment that applies to it.
 */
export interface MediaPlaylist extends LowLatencyFields {
  /**
   * Whole seconds. Defaults to the longest segment, rounded (RFC 8216bis 4.4.3.1). A live playlist must set
   * it because it must never change.
   */
  targetDurationSeconds?: number
  /** Number of the first segment. Increases by one for each segment removed from the start. */
  mediaSequence: number
  /** Number of discontinuities removed from the start. Defaults to 0. */
  discontinuitySequence?: number
  playlistType?: 'VOD' | 'EVENT'
  /**
   * Players start at the first segment (RFC 8216bis 4.4.2.2). In a playlist without an end they would start
   * near the live edge.
   */
  startsAtFirst?: boolean
  hasEnded: boolean
  /** Each segment is one I-frame and lasts until the next one (RFC 8216bis 4.4.3.6). */
  iFramesOnly?: boolean
  /** Every segment starts with a key frame (EXT-X-INDEPENDENT-SEGMENTS). */
  independentSegments: boolean
  /** Omitted for WebVTT, which has no init segment (RFC 8216 3.5). */
  initUri?: string
  segments: readonly Segment[]
  /** Properties of the segment that contains `openParts`. */
  openSegment?: SegmentStart
}

export type ParsedMediaPlaylist = MediaPlaylist & { targetDurationSeconds: number; initUri: string }
