import { open, rm } from 'node:fs/promises'
import { recordingHeaderBytes } from '@zoetrope/isobmff'
import { allOf } from '../../../../../platform/base/concurrency/all-of.ts'
import type { BlobStore } from '../../../../../platform/blobs/blob-store.ts'
import type { RecordedPiece } from './recorded-pieces.ts'
import { placeSkeleton } from './skeleton.ts'

const readsAtOnce = 8

/**
 * Makes one finished MP4 of the pieces of a recording. `path` gets a sparse copy of the recording without its media,
 * which `finishFile` finishes like a recording on disk; the media stays in the store. Returns null when nothing was
 * recorded. Throws IsobmffError when the pieces are not a recording.
 */
export const joinRecording = async (options: {
  readonly blobs: Pick<BlobStore, 'read' | 'join'>
  readonly pieces: readonly RecordedPiece[]
  /** Returns false when the file has no media. */
  readonly finishFile: (path: string) => Promise<boolean>
  readonly path: string
  readonly blob: string
}): Promise<{ readonly sizeBytes: number } | null> => {
  const { blobs, path, blob } = options
  const pieces = consecutive(options.pieces)
  const mediaBytes = pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (mediaBytes === 0) return null
  try {
    await writeSkeletons(path, blobs, pieces, mediaBytes)
    if (!(await options.finishFile(path))) return null
    await using file = await open(path)
    const { size } = await file.stat()
    const [first, ...rest] = pieces.map(({ blob: key, sizeBytes }) => ({
      key,
      range: { start: 0, end: sizeBytes },
    }))
    return await blobs.join(blob, [
      await readAt(file, 0, recordingHeaderBytes),
      { key: first!.key, range: { ...first!.range, start: recordingHeaderBytes } },
      ...rest,
      await readAt(file, mediaBytes, size - mediaBytes),
    ])
  } finally {
    await rm(path, { force: true })
  }
}

/** Nothing follows a piece that is missing. */
const consecutive = (pieces: readonly RecordedPiece[]): readonly RecordedPiece[] => {
  let endOffset = 0
  const count = pieces.findIndex(({ startOffset, sizeBytes }) => {
    if (startOffset !== endOffset) return true
    endOffset += sizeBytes
    return false
  })
  return count === -1 ? pieces : pieces.slice(0, count)
}

const writeSkeletons = async (
  path: string,
  blobs: Pick<BlobStore, 'read'>,
  pieces: readonly RecordedPiece[],
  sizeBytes: number,
): Promise<void> => {
  await using file = await open(path, 'w', 0o600)
  await file.truncate(sizeBytes)
  const rest = pieces.values()
  const copy = async (): Promise<void> => {
    for (const { blob, startOffset, sizeBytes: start, skeletonBytes } of rest) {
      const skeleton = await blobs.read(blob, { start, end: start + skeletonBytes })
      for (const { offset, bytes } of placeSkeleton(skeleton, startOffset))
        await file.write(bytes, 0, bytes.length, offset)
    }
  }
  await allOf(Array.from({ length: readsAtOnce }, copy))
}

const readAt = async (
  file: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> => (await file.read(Buffer.alloc(length), 0, length, position)).buffer
