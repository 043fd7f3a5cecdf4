import type { MediaFileRow } from '../record/file-record.ts'

/** Larger than any EncodingPriority. */
export const classSize = 1_000

/**
 * Returns the priority of a ladder job. H.264 goes before later codecs for any file, and steps that have
 * begun go before others. EncodingPriority decides within each of these classes. First playable renditions
 * and extras have workers of their own.
 */
export const ladderPriority = (
  { encoding_priority }: Pick<MediaFileRow, 'encoding_priority'>,
  { isLater, hasBegun }: { readonly isLater: boolean; readonly hasBegun: boolean },
): number => encoding_priority + classSize * ((isLater ? 0 : 2) + (hasBegun ? 1 : 0))
