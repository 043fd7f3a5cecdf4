import { MediaError, sourceRanges, type SourceChunk } from '@zoetrope/ffmpeg'
import { IsobmffError } from '@zoetrope/isobmff'
import type { PlanRanges, UseLocalFile } from '../../../platform/blobs/blob-store.ts'
import type { FileJobRun } from '../encode/file-job-run.ts'

/** Lends the source as `BlobStore.withLocalFile` does. */
export type LendSource = <T>(use: UseLocalFile<T>, plan?: PlanRanges) => Promise<T>

/**
 * Lends a local copy of the source with the bytes that ffmpeg needs for a chunk, or to open the source (null).
 * If `use` fails with an incomplete copy, it runs again with the whole source.
 */
export const withSourceRanges = async <T>(
  lend: LendSource,
  chunk: SourceChunk | null,
  { signal, warn }: Pick<FileJobRun, 'signal'> & Partial<Pick<FileJobRun, 'warn'>>,
  use: UseLocalFile<T>,
): Promise<T> => {
  const failed = Symbol('failed')
  const result = await lend<T | typeof failed>(
    async (path, isWhole) => {
      try {
        return await use(path, isWhole)
      } catch (error) {
        if (isWhole || signal.aborted || !mayLackBytes(error)) throw error
        warn?.('repeated with the whole source', error)
        return failed
      }
    },
    (source) => sourceRanges(source, chunk),
  )
  return result === failed ? lend(use) : result
}

const mayLackBytes = (error: unknown): boolean =>
  error instanceof IsobmffError ||
  (error instanceof MediaError && error.code !== 'aborted' && error.code !== 'disk_full')
