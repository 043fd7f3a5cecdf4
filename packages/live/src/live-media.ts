/** A picture as RTMP and its like hand it over. Times are any clock's, in milliseconds; fractions are kept. */
export interface VideoUnit {
  readonly decodeMs: number
  /** How much later than decoded it is shown. */
  readonly compositionMs: number
  readonly isKeyFrame: boolean
  /** As in an MP4 sample. */
  readonly data: Buffer
}

/** A frame of sound; its time is on the clock of the pictures. */
export interface AudioUnit {
  readonly timestampMs: number
  readonly data: Buffer
}

/** What a player may load before its segment is whole. */
export interface LivePart {
  /** Counts from 0 in each segment. */
  readonly index: number
  readonly durationSeconds: number
  /** It begins with a key frame, or is sound. */
  readonly isIndependent: boolean
  /** Nothing new begins in its time, so it has no bytes. */
  readonly isGap: boolean
  readonly data: Buffer
}

/** Where a stretch without a break begins, on the wall clock (milliseconds since 1970) and on the media timeline. */
export interface StretchOrigin {
  readonly version: number
  readonly startedAtMs: number
  readonly timelineSeconds: number
}

/** How a segment that is being made began. */
export interface SegmentOpening {
  /** Its media sequence number: the same for all renditions. */
  readonly number: number
  /** The first one after a break. */
  readonly isDiscontinuity: boolean
  /** How many breaks there have been, this one included. */
  readonly discontinuitySequence: number
  /** Which init segment it needs: one for each stretch without a break. */
  readonly initVersion: number
  /** Wall clock of its start, in milliseconds since 1970; known ahead where a stretch begins. */
  readonly startedAtMs?: number
}

export interface LiveSegment extends SegmentOpening {
  /** On the media timeline, which begins at 1 s. */
  readonly startTicks: number
  readonly startSeconds: number
  readonly durationTicks: number
  readonly durationSeconds: number
  /** Wall clock of its start, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** It begins with a key frame, or is sound. */
  readonly isIndependent: boolean
  readonly isGap: boolean
  /** None where its bytes are in a store only. */
  readonly parts: readonly LivePart[]
  readonly sizeBytes: number
}
