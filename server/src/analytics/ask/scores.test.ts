import { describe, expect, test } from 'vitest'
import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { measureNames } from '../store/measures.ts'
import {
  playbackSuccessScore,
  smoothnessScore,
  startupTimeScore,
  videoQualityScore,
  viewerExperienceScore,
} from './scores.ts'

const sums = (some: Partial<ViewMeasures>): ViewMeasures => ({
  ...(Object.fromEntries(measureNames.map((name) => [name, 0])) as unknown as ViewMeasures),
  ...some,
})

test.each([
  [{}, null],
  [{ starts: 100 }, 100],
  [{ starts: 90, failures: 10 }, 90],
  [{ starts: 100, errors: 25 }, 75],
  [{ starts: 80, exits: 20 }, 90],
  [{ failures: 3 }, 0],
  // An older api process counts no starts.
  [{ views: 90, failures: 10 }, 90],
] as const)('playback success of %o is %s', (some, score) => {
  const found = playbackSuccessScore.valueOf(sums(some))
  if (score === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(score, 9)
})

test.each([
  [0, 100],
  [500, 100],
  [1_250, 90],
  [2_000, 80],
  [5_000, 65],
  [8_000, 50],
  [14_000, 37.5],
  [20_000, 25],
  [40_000, 12.5],
  [60_000, 0],
  [600_000, 0],
])('a mean startup time of %i ms has the score %s', (startupMs, score) => {
  expect(startupTimeScore.valueOf(sums({ startups: 4, startup_ms: 4 * startupMs }))).toBeCloseTo(score, 9)
})

test.each([
  [{ views: 10, watch_ms: 100_000 }, 100],
  [{ views: 10, watch_ms: 99_000, rebuffer_ms: 1_000 }, 95],
  [{ views: 10, watch_ms: 95_000, rebuffer_ms: 5_000, rebuffers: 10 }, 75],
  [{ views: 10, watch_ms: 90_000, rebuffer_ms: 10_000, rebuffers: 35 }, (40 + 52.5) / 2],
  [{ views: 10, watch_ms: 1_000, rebuffer_ms: 99_000, rebuffers: 900 }, 0],
  [{ starts: 5 }, null],
] as const)('smoothness of %o is %s', (some, score) => {
  const found = smoothnessScore.valueOf(sums(some))
  if (score === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(score, 9)
})

test.each([
  [0, 100],
  [25, 92.5],
  [50, 85],
  [100, 70],
  [150, 55],
  [200, 40],
  [300, 20],
  [400, 0],
  [900, 0],
])('pictures that are %i percent larger than their renditions have the score %s', (percent, score) => {
  expect(videoQualityScore.valueOf(sums({ scaled_ms: 1_000, upscale_ms: 10 * percent }))).toBeCloseTo(
    score,
    9,
  )
})

describe('viewer experience', () => {
  const good = { starts: 10, views: 10, watch_ms: 100_000, startups: 10, startup_ms: 4_000, scaled_ms: 1_000 }

  test('is 100 if everything is good, and unknown without a session', () => {
    expect(viewerExperienceScore.valueOf(sums(good))).toBe(100)
    expect(viewerExperienceScore.valueOf(sums({}))).toBeNull()
  })

  test('is the weighted mean of the scores that are known', () => {
    const mixed = sums({ ...good, errors: 5, startup_ms: 20_000, rebuffer_ms: 0, upscale_ms: 1_000 })
    expect(viewerExperienceScore.valueOf(mixed)).toBeCloseTo(0.4 * 50 + 0.3 * 100 + 0.2 * 80 + 0.1 * 70, 9)
    expect(viewerExperienceScore.valueOf(sums({ failures: 4 }))).toBe(0)
    const noSize = sums({ ...good, scaled_ms: 0, errors: 5 })
    expect(viewerExperienceScore.valueOf(noSize)).toBeCloseTo((0.4 * 50 + 0.3 * 100 + 0.2 * 100) / 0.9, 9)
  })

  test.each([
    ...(['failures', 'errors', 'exits', 'startup_ms', 'rebuffers', 'rebuffer_ms', 'upscale_ms'] as const),
  ])('never rises with %s', (name) => {
    const base = { ...good, starts: 1_000, views: 1_000 }
    const series = Array.from({ length: 400 }, (_, step) =>
      viewerExperienceScore.valueOf(sums({ ...base, [name]: step ** 2 })),
    )
    for (const [step, score] of series.entries()) {
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual((series[step - 1] ?? 100) + 1e-9)
    }
    expect(series.at(-1)).toBeLessThan(100)
  })
})
