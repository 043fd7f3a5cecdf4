import { sourceRanges, type SourceChunk } from '@zoetrope/ffmpeg'
import type { PlanRanges, UseLocalFile } from '../../../platform/blobs/blob-store.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
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
        // A copy of some ranges may lack bytes.
        if (isWhole || !isRepeated || signal.aborted || !isFaultOfMedia(error)) throw error
        warn?.('repeated with the whole source', error)
        return failed
      }
    },
    (source) => sourceRanges(source, chunk),
  )
  return result === failed ? lend(use) : result
}
