import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { from } from './sums/from-measures.ts'

type Points = readonly (readonly [value: number, score: number])[]

/** Straight lines between the points; before the first and after the last one, the score stays the same. */
const scoreAt = (points: Points, value: number): number => {
  const next = points.findIndex(([at]) => value <= at)
  const [to, before] = [points.at(next), points[Math.max(0, next - 1)]]
  if (to === undefined || before === undefined) throw new Error('a score without points')
  if (next <= 0) return to[1]
  const share = (value - before[0]) / (to[0] - before[0])
  return before[1] + share * (to[1] - before[1])
}

const startupSeconds: Points = [
  [0.5, 100],
  [2, 80],
  [8, 50],
  [20, 25],
  [60, 0],
]
const rebufferRatio: Points = [
  [0, 100],
  [0.01, 90],
  [0.05, 60],
  [0.1, 40],
  [0.2, 15],
  [0.5, 0],
]
const rebuffersPerView: Points = [
  [0, 100],
  [1, 90],
  [2, 70],
  [5, 35],
  [10, 20],
  [20, 0],
]
/** How much larger the picture is than the rendition, over the playing time: 0.5 is half as large again. */
const upscaling: Points = [
  [0, 100],
  [0.5, 85],
  [1, 70],
  [2, 40],
  [4, 0],
]

export const attemptMeasures = ['starts', 'views', 'failures', 'exits'] as const

/** Sessions whose viewer wanted to watch. Older api processes count views, but no starts. */
export const attemptsOf = ({
  starts,
  views,
  failures,
  exits,
}: Pick<ViewMeasures, (typeof attemptMeasures)[number]>): number => Math.max(starts, views) + failures + exits

/** An error costs the session, leaving before the first frame half of it. */
export const playbackSuccessScore = from([...attemptMeasures, 'errors'], (sums) => {
  const attempts = attemptsOf(sums)
  if (attempts === 0) return null
  return Math.max(0, 100 * (1 - (sums.failures + sums.errors + sums.exits / 2) / attempts))
})

export const startupTimeScore = from(['startups', 'startup_ms'], ({ startups, startup_ms }) =>
  startups === 0 ? null : scoreAt(startupSeconds, startup_ms / startups / 1_000),
)

/** The mean of two scores, because many short interruptions are worse than a long one. */
export const smoothnessScore = from(
  ['watch_ms', 'rebuffer_ms', 'rebuffers', 'views'],
  ({ watch_ms, rebuffer_ms, rebuffers, views }) => {
    const timeMs = watch_ms + rebuffer_ms
    if (views === 0 || timeMs === 0) return null
    return (scoreAt(rebufferRatio, rebuffer_ms / timeMs) + scoreAt(rebuffersPerView, rebuffers / views)) / 2
  },
)

export const videoQualityScore = from(['scaled_ms', 'upscale_ms'], ({ scaled_ms, upscale_ms }) =>
  scaled_ms === 0 ? null : scoreAt(upscaling, upscale_ms / scaled_ms),
)

/** The weighted mean of the scores that are known. */
export const viewerExperienceScore = from(
  [
    ...playbackSuccessScore.measures,
    ...smoothnessScore.measures,
    ...startupTimeScore.measures,
    ...videoQualityScore.measures,
  ],
  (sums) => {
    const scores = [
      [playbackSuccessScore.valueOf(sums), 4],
      [smoothnessScore.valueOf(sums), 3],
      [startupTimeScore.valueOf(sums), 2],
      [videoQualityScore.valueOf(sums), 1],
    ] as const
    let [total, weight] = [0, 0]
    for (const [score, part] of scores) {
      if (score === null) continue
      total += part * score
      weight += part
    }
    return weight === 0 ? null : total / weight
  },
)
