/**
 * Durations are stored as a histogram with four steps per doubling. Histograms of hours and processes can be
 * added, and percentiles read from them are accurate to a tenth.
 */
const stepsPerDoubling = 4

/** The last step starts at 55 seconds, longer than any request may take. */
export const stepCount = 65

/** Returns the histogram step of a duration; step 0 holds durations up to one millisecond. */
export const stepOf = (durationMs: number): number =>
  Math.min(stepCount - 1, Math.ceil(stepsPerDoubling * Math.log2(Math.max(1, durationMs))))

const middleMs = (step: number): number => Math.max(1, Math.round(2 ** ((step - 0.5) / stepsPerDoubling)))

/** Returns the percentile in milliseconds, or null when the histogram is empty. */
export const percentileMs = (counts: readonly number[], ratio: number): number | null => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(ratio * total))
  let reached = 0
  for (const [step, count] of counts.entries()) {
    reached += count
    if (reached >= rank) return middleMs(step)
  }
  return null
}
