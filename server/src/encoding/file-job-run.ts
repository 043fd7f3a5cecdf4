import type { MediaFileRow } from '../files/file-record.ts'
import type { Log } from '../kernel/log.ts'
import type { EncodingDependencies, GenerationJob } from './encode-renditions.ts'

export interface FileJobDependencies extends EncodingDependencies {
  readonly workFolder: string
  readonly log: Log
}

export interface FileJobRun {
  readonly job: GenerationJob
  readonly file: MediaFileRow
  /** Of the generation that is made; null when there are no bytes. */
  readonly source: { readonly blob: string; readonly sizeBytes: number } | null
  /** Something else plays meanwhile: what is made is not shown until it is whole. */
  readonly isBehind: boolean
  /** Aborts when the worker stops or loses the job, and when the file is deleted or another generation of it is wanted. */
  readonly signal: AbortSignal
  /** Of this run alone; removed afterwards, whatever happens. */
  readonly workFolder: string
  /** EncodingProgress in percent; written every two seconds at most, with the time at which 100 will be reached unless more follows at another speed. */
  readonly report: (percent: number, options?: { readonly isMoreToFollow: boolean }) => void
  readonly warn: (message: string, error: unknown) => void
}
