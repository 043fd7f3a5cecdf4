import type { LowLatencyFields, Part } from './low-latency.ts'

/** A part of a resource (4.4.4.2). */
export interface ByteRange {
  offsetBytes: number
  lengthBytes: number
}

/** What is known of a segment before it is whole. */
export interface SegmentStart {
  /** True where the timeline, the encoding or the tracks break with the segment before. */
  discontinuity?: boolean
  /** The wall clock time of the segment's first sample. */
  programDateTime?: Date
  /** Set where the init segment changes; it holds until the next change. */
  initUri?: string
}

export interface Segment extends SegmentStart {
  uri: string
  /** Left out, the segment is the whole resource. */
  byteRange?: ByteRange
  durationSeconds: number
  /** The segment is not there, and players go on behind it (4.4.4.7). */
  isGap?: boolean
  /** The parts that the segment was made of, as long as they are offered. */
  parts?: readonly Part[]
}

/** A playlist of CMAF segments (4.4.3), each of which needs the init segment that is in force at its place; or of WebVTT segments. */
export interface MediaPlaylist extends LowLatencyFields {
  /** Whole seconds; left out, it is the longest segment, rounded (4.4.3.1). A live playlist must set it: it may never change. */
  targetDurationSeconds?: number
  /** The number of the first segment; it grows by one with each segment that leaves the front. */
  mediaSequence: number
  /** How many discontinuities have left the front; 0 when left out. */
  discontinuitySequence?: number
  playlistType?: 'VOD' | 'EVENT'
  /** Players begin with the first segment (4.4.2.2): where there is no end they would begin near the newest. */
  startsAtFirst?: boolean
  hasEnded: boolean
  /** Each segment holds one I-frame, and lasts until the next one (4.4.3.6). */
  iFramesOnly?: boolean
  /** Every segment starts with a key frame. */
  independentSegments: boolean
  /** Left out for WebVTT, whose segments stand alone (RFC 8216 3.5). */
  initUri?: string
  segments: readonly Segment[]
  /** Of the segment whose parts `openParts` are. */
  openSegment?: SegmentStart
}

export type ParsedMediaPlaylist = MediaPlaylist & { targetDurationSeconds: number; initUri: string }
