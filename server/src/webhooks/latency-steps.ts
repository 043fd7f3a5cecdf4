/**
 * How long requests took is kept as counts: one for each step of durations, four steps to a doubling. Counts of hours and workers add up, and a
 * percentile that is read from them is right to within a tenth.
 */
const stepsPerDoubling = 4

/** The last one begins at a minute, which is longer than a request may take. */
export const stepCount = 65

/** Step 0 is what took a millisecond at most. */
export const stepOf = (durationMs: number): number =>
  Math.min(stepCount - 1, Math.ceil(stepsPerDoubling * Math.log2(Math.max(1, durationMs))))

const middleMs = (step: number): number => Math.max(1, Math.round(2 ** ((step - 0.5) / stepsPerDoubling)))

/** Null where nothing was counted. */
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
