/**
 * Whether a text has more than this number of bytes. A longer one from an earlier release may stay or shrink, but not
 * grow.
 */
export const outgrows = (before: string, after: string, maxBytes: number): boolean => {
  const bytes = Buffer.byteLength(after)
  return bytes > maxBytes && bytes > Buffer.byteLength(before)
}
