import { initBlob, segmentBlob } from '../../../library/files/media/media-blobs.ts'
import type { ChunkFolder } from '../../../platform/db/tables/encoding.ts'

export interface ChunkClaim {
  readonly number: number
  /** Number of claims of the chunk so far. */
  readonly attempt: number
}

const nameOf = ({ number, attempt }: ChunkClaim): string => `${number}-${attempt}`

/**
 * Where a claim stores its segments. Encoders do not always write the same bytes, and a run that has lost its claim may
 * still be writing: no two claims share a folder.
 */
export const folderOfClaim = (mediaBlob: string, claim: ChunkClaim): string =>
  claim.attempt <= 1 ? mediaBlob : `${mediaBlob}/${nameOf(claim)}`

interface FinishedChunk extends ChunkClaim {
  readonly startSegment: number
  readonly segmentCount: number
}

/** Returns where a rendition finds the segments of its chunks. */
export const chunkFoldersOf = (chunks: readonly FinishedChunk[]): ChunkFolder[] =>
  chunks
    .filter(({ attempt, segmentCount }) => attempt > 1 && segmentCount > 0)
    .map((chunk) => [chunk.startSegment, chunk.startSegment + chunk.segmentCount, nameOf(chunk)])

/** Returns what earlier claims of these chunks have stored, or may still store. A name that ends with '/' is a folder. */
export const earlierBlobsOf = (mediaBlob: string, chunks: readonly FinishedChunk[]): string[] =>
  chunks.flatMap(({ number, attempt, startSegment, segmentCount }) => {
    if (attempt <= 1) return []
    const first = Array.from({ length: segmentCount }, (_, index) =>
      segmentBlob(mediaBlob, startSegment + index),
    )
    if (number === 0) first.push(initBlob(mediaBlob))
    const others = Array.from({ length: attempt - 2 }, (_, index) => ({ number, attempt: index + 2 }))
    return [...first, ...others.map((claim) => `${folderOfClaim(mediaBlob, claim)}/`)]
  })
