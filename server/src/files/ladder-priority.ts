import type { MediaFileRow } from './file-record.ts'

/** Larger than any EncodingPriority. */
export const classSize = 1_000

/**
 * Whose turn it is in the queue of the ladders: H.264 goes before the codecs that come after it, for any file, and what has begun before what has
 * not. EncodingPriority decides within each of these. What makes files playable has workers of its own, and so have extras.
 */
export const ladderPriority = (
  { encoding_priority }: Pick<MediaFileRow, 'encoding_priority'>,
  { isLater, hasBegun }: { readonly isLater: boolean; readonly hasBegun: boolean },
): number => encoding_priority + classSize * ((isLater ? 0 : 2) + (hasBegun ? 1 : 0))
