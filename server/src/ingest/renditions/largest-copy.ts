/**
 * Upper limit of a remux, in bytes. A container adds a few bytes per frame; much larger output is an error
 * and must not fill the disk. A source may contain frames that are packed a thousand times smaller.
 */
export const largestCopyBytes = (sourceBytes: number): number => 2 * sourceBytes + 64 * 1024 * 1024
