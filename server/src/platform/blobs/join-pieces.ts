import type { BlobPiece, BlobStore } from './blob-store.ts'

export const sizeOfPiece = (piece: BlobPiece): number =>
  Buffer.isBuffer(piece) ? piece.length : piece.range.end - piece.range.start

/** The bytes of all pieces, in order, for stores that cannot copy ranges themselves. */
export const streamPieces = async function* (
  { stream }: Pick<BlobStore, 'stream'>,
  pieces: readonly BlobPiece[],
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece
    else yield* await stream(piece.key, piece.range)
  }
}
