import { describe, expect, it } from 'vitest'
import { nextDelayMs, retryDelaysSeconds } from './retry-schedule.ts'

const delay = (failedAttempts: number, retryAfterSeconds: number | null = null, random = 0.5) =>
  nextDelayMs(failedAttempts, retryAfterSeconds, retryDelaysSeconds, random)

describe('nextDelayMs', () => {
  it('plans twelve attempts, several of them in the first minutes of an outage', () => {
    const hours = 3_600_000
    expect(Array.from({ length: 12 }, (_, index) => delay(index + 1))).toEqual([
      5_000,
      30_000,
      120_000,
      300_000,
      1_800_000,
      2 * hours,
      5 * hours,
      10 * hours,
      14 * hours,
      20 * hours,
      24 * hours,
      null,
    ])
  })

  it('applies a jitter of 20 percent either way', () => {
    expect(delay(2, null, 0)).toBe(24_000)
    expect(delay(2, null, 0.999_999)).toBeCloseTo(36_000, -1)
  })

  it('waits as long as the receiver asks, at most a day and never less than planned', () => {
    expect(delay(1, 60)).toBe(60_000)
    expect(delay(2, 1)).toBe(30_000)
    expect(delay(1, 10_000_000)).toBe(86_400_000)
  })
})
