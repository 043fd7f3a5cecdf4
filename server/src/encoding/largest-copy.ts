/**
 * Another container takes a few bytes a frame more; whatever makes much more of so many bytes is wrong, and must not fill the disk: a source may
 * hold frames that are packed a thousand times smaller.
 */
export const largestCopyBytes = (sourceBytes: number): number => 2 * sourceBytes + 64 * 1024 * 1024
