import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { EncodingDependencies, RevisionJob } from './encode-renditions.ts'

export interface FileJobDependencies extends EncodingDependencies {
  readonly workFolder: string
  readonly log: Log
}

export interface FileJobRun {
  readonly job: RevisionJob
  readonly file: MediaFileRow
  /** Source of the revision being made; null when no bytes are stored. */
  readonly source: { readonly blob: string; readonly sizeBytes: number } | null
  /** Another revision plays meanwhile, so the result stays hidden until it is complete. */
  readonly isPendingRevision: boolean
  /**
   * Aborts when the worker stops or loses the job, the file is deleted, or another revision of it is wanted.
   */
  readonly signal: AbortSignal
  /** Exclusive to this run; always removed afterwards. */
  readonly workFolder: string
  /**
   * Reports EncodingProgress in percent, stored every two seconds at most, with the estimated end. Pass
   * `isMoreToFollow` when later steps run at another speed.
   */
  readonly report: (percent: number, options?: { readonly isMoreToFollow: boolean }) => void
  readonly warn: (message: string, error: unknown) => void
}
