import type { ByteRange } from './blob-store.ts'

/** Returns the bytes of all ranges in order, each once. Gaps of at most `maxGapBytes` become part of a range. */
export const mergeRanges = (ranges: readonly ByteRange[], maxGapBytes = 0): ByteRange[] => {
  const merged: ByteRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    if (range.start === range.end) continue
    const last = merged.at(-1)
    if (last === undefined || range.start - last.end > maxGapBytes) merged.push(range)
    else if (range.end > last.end) merged[merged.length - 1] = { start: last.start, end: range.end }
  }
  return merged
}

/** Returns the bytes of `wanted` that are in none of `known`, which is merged. */
export const missingRanges = (wanted: readonly ByteRange[], known: readonly ByteRange[]): ByteRange[] =>
  mergeRanges(wanted).flatMap(({ start, end }) => {
    const missing: ByteRange[] = []
    let from = start
    for (const one of known) {
      if (one.end <= from) continue
      if (one.start >= end) break
      if (one.start > from) missing.push({ start: from, end: one.start })
      from = one.end
    }
    return from < end ? [...missing, { start: from, end }] : missing
  })
