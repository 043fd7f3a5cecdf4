export interface GrowthChange {
  readonly sizeBytes?: number | null
  /** From there on the bytes that are about to come do not count until they are checked; null when they are. */
  readonly uncheckedAfter?: number | null
}

/** Bytes that come by and by, over many requests, until they are whole: those of an upload, or of a part of one (tus concatenation). */
export interface GrowingBytes {
  readonly stagingName: string
  /** Null while nobody knows. */
  readonly sizeBytes: number | null
  readonly isComplete: boolean
  /** How many are safe, without those of a checksum that was never verified. Throws 'unavailable' when another node holds them. */
  readonly received: () => Promise<number>
  /** As they are now: another request may have gone on with them. */
  readonly reload: () => Promise<GrowingBytes>
  /** Called before bytes are written: makes this node their holder. Throws 'unavailable' when another node is. */
  readonly claim: () => Promise<void>
  /** Moves the expiry on; what is absent stays as it is. */
  readonly extend: (change: GrowthChange) => Promise<void>
  /** Called now and then while bytes come; what goes wrong in it does them no harm. */
  readonly onArrival: () => Promise<void>
  /** Called before bytes that are here are written again. */
  readonly onRewind: () => Promise<void>
  /** Called with the last byte; may be called again. */
  readonly finish: () => Promise<void>
}
