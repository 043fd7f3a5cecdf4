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

export interface LiveSegment {
  /** Its media sequence number: the same for all renditions. */
  readonly number: number
  /** On the media timeline, which begins at 1 s. */
  readonly startTicks: number
  readonly durationTicks: number
  readonly durationSeconds: number
  /** Wall clock of its start, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** The first one after a break. */
  readonly isDiscontinuity: boolean
  /** Which init segment it needs: one for each stretch without a break. */
  readonly initVersion: number
  /** It begins with a key frame, or is sound. */
  readonly isIndependent: boolean
  readonly isGap: boolean
  readonly parts: readonly LivePart[]
  readonly sizeBytes: number
}
