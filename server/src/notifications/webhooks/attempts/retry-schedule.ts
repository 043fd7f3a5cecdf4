import { maxRetryAfterSeconds } from './read-answer.ts'

/** Delays after each failed attempt: twelve attempts over about 76 hours, then the delivery has failed. */
export const retryDelaysSeconds: readonly number[] = [
  5, 30, 120, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
]

/** Spreads retries of deliveries that failed together. */
const jitterRatio = 0.2

/**
 * Returns the delay in milliseconds after the `failedAttempts`th failure of the schedule, at least as long as
 * the receiver asked for. Returns null when no attempt follows. `random` is in [0, 1).
 */
export const nextDelayMs = (
  failedAttempts: number,
  retryAfterSeconds: number | null,
  delaysSeconds: readonly number[],
  random: number,
): number | null => {
  const planned = delaysSeconds[failedAttempts - 1]
  if (planned === undefined) return null
  const jittered = planned * (1 - jitterRatio + 2 * jitterRatio * random)
  return Math.round(1000 * Math.max(jittered, Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds)))
}
