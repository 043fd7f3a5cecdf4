import type { ProjectRow } from '../../../library/projects/project-record.ts'
import type { Staging } from './staging.ts'

export interface UploadExtension {
  readonly sizeBytes?: number | null
  /** Offset after which bytes do not count until they are verified; null when all are. */
  readonly uncheckedAfter?: number | null
}

/**
 * Bytes of an in-progress upload, or of a part of one (tus concatenation), which may arrive over many
 * requests.
 */
export interface ResumableUpload {
  readonly stagingName: string
  /** Holds the bytes; throws 'unavailable' when this node cannot reach them. */
  readonly staging: () => Staging
  /** Null while the size is unknown. */
  readonly sizeBytes: number | null
  readonly isComplete: boolean
  /** Its quota limits the upload. */
  readonly project: () => Promise<ProjectRow>
  /**
   * Returns the number of durable bytes, without those of an unverified checksum. Throws 'unavailable' when
   * another node has them.
   */
  readonly received: () => Promise<number>
  readonly reload: () => Promise<ResumableUpload>
  /**
   * Runs `work` as the only writer on all nodes. `onWanted` asks it to end, because another request waits.
   */
  readonly hold: <T>(
    how: { readonly isWriting: boolean; readonly onWanted: () => void },
    work: () => Promise<T>,
  ) => Promise<T>
  /**
   * Called before writing: assigns the bytes to this node. Throws 'unavailable' when another node has them.
   */
  readonly claim: () => Promise<void>
  /** Extends the expiry; absent fields stay unchanged. */
  readonly extend: (change: UploadExtension) => Promise<void>
  /** Called periodically while bytes arrive; its errors do not affect them. */
  readonly onProgress: () => Promise<void>
  readonly onRewind: () => Promise<void>
  /** Called after the last byte; may be called again. */
  readonly finish: () => Promise<void>
}
