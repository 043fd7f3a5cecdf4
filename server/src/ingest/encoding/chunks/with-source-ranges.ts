import { MediaError, sourceRanges, type SourceChunk } from '@zoetrope/ffmpeg'
import { IsobmffError } from '@zoetrope/isobmff'
import type { PlanRanges, UseLocalFile } from '../../../platform/blobs/blob-store.ts'
import type { FileJobRun } from '../encode/file-job-run.ts'

/** Lends the source as `BlobStore.withLocalFile` does. */
export type LendSource = <T>(use: UseLocalFile<T>, plan?: PlanRanges) => Promise<T>

interface LendOptions extends Pick<FileJobRun, 'signal'>, Partial<Pick<FileJobRun, 'warn'>> {
  readonly isRepeated?: boolean
}

/**
 * Lends a local copy of the source with the bytes that ffmpeg needs for a chunk, or to open the source (null).
 * If `use` fails with an incomplete copy, it is repeated with the whole source, unless `isRepeated` is false.
 */
export const withSourceRanges = async <T>(
  lend: LendSource,
  chunk: SourceChunk | null,
  { signal, warn, isRepeated = true }: LendOptions,
  use: UseLocalFile<T>,
): Promise<T> => {
  const failed = Symbol('failed')
  const result = await lend<T | typeof failed>(
    async (path, isWhole) => {
      try {
        return await use(path, isWhole)
      } catch (error) {
        if (isWhole || !isRepeated || signal.aborted || !mayLackBytes(error)) throw error
        warn?.('repeated with the whole source', error)
        return failed
      }
    },
    (source) => sourceRanges(source, chunk),
  )
  return result === failed ? lend(use) : result
}

/** Whether an error may come from an incomplete copy of the source. */
export const mayLackBytes = (error: unknown): boolean =>
  error instanceof IsobmffError ||
  (error instanceof MediaError && error.code !== 'aborted' && error.code !== 'disk_full')
