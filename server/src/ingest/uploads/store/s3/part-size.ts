const MiB = 1024 * 1024

/** S3 accepts no smaller part, except the last one. */
export const minimumPartBytes = 5 * MiB

/** Less would cost more requests; a node holds two parts of each upload in memory. */
const usualPartBytes = 8 * MiB
const largestGrownPartBytes = 64 * MiB

/** Amazon S3 accepts 10,000 numbers; takeovers and refused bodies waste some. */
const plannedParts = 9_000
const growEvery = 1_000

/** Size of each part of an upload; null while its size is unknown. */
export const partBytesOf = (sizeBytes: number | null): number | null =>
  sizeBytes === null ? null : Math.max(usualPartBytes, Math.ceil(sizeBytes / plannedParts))

/** Size of the next part of an upload whose size was unknown at its first part. */
export const grownPartBytes = (partCount: number): number =>
  Math.min(largestGrownPartBytes, usualPartBytes * 2 ** Math.floor(partCount / growEvery))
