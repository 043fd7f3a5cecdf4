/**
 * A picture as received from RTMP or a similar protocol. Times are in milliseconds on an arbitrary clock and
 * may be fractional.
 */
export interface VideoUnit {
  readonly decodeMs: number
  readonly compositionMs: number
  readonly isKeyFrame: boolean
  /** Length-prefixed NAL units or OBUs, as in an MP4 sample. */
  readonly data: Buffer
}

/** An audio frame; its time is on the clock of the video. */
export interface AudioUnit {
  readonly timestampMs: number
  readonly data: Buffer
}

/** A partial segment, which players load before the segment is complete. */
export interface LivePart {
  readonly index: number
  readonly durationSeconds: number
  /** True for a part that starts with a key frame, and for audio. */
  readonly isIndependent: boolean
  /** True when no frame starts in this part, so it has no bytes. */
  readonly isGap: boolean
  readonly data: Buffer
}

/** Start of a period, as wall-clock time (Unix time in milliseconds) and on the media timeline. */
export interface PeriodOrigin {
  readonly version: number
  readonly epoch: number
  readonly startedAtMs: number
  readonly timelineSeconds: number
}

export interface SegmentHeader {
  /** Media sequence number, shared by all renditions. */
  readonly number: number
  /**
   * Part of the name, because an owner of the broadcast that is cut off may use the same number for other media than
   * the next owner. 0 is not written.
   */
  readonly epoch: number
  readonly isDiscontinuity: boolean
  /** Number of discontinuities so far, including this one. */
  readonly discontinuitySequence: number
  /** Init segment of the period that the segment belongs to. */
  readonly initVersion: number
  /** Wall-clock start in Unix milliseconds. Known in advance at the start of a period. */
  readonly startedAtMs?: number
}

export interface LiveSegment extends SegmentHeader {
  /** Position on the media timeline, which begins at 1 s. */
  readonly startTicks: number
  readonly startSeconds: number
  readonly durationTicks: number
  readonly durationSeconds: number
  readonly startedAtMs: number
  /** True for a segment that starts with a key frame, and for audio. */
  readonly isIndependent: boolean
  readonly isGap: boolean
  /** Empty when the bytes are only in a store. */
  readonly parts: readonly LivePart[]
  readonly sizeBytes: number
}
