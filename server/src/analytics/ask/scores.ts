import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'

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

/** Sessions whose viewer wanted to watch. Older api processes count views, but no starts. */
export const attemptsOf = ({ starts, views, failures, exits }: ViewMeasures): number =>
  Math.max(starts, views) + failures + exits

/** An error costs the session, leaving before the first frame half of it. */
export const playbackSuccessScore = (sums: ViewMeasures): number | null => {
  const attempts = attemptsOf(sums)
  if (attempts === 0) return null
  return Math.max(0, 100 * (1 - (sums.failures + sums.errors + sums.exits / 2) / attempts))
}

export const startupTimeScore = ({ startups, startup_ms }: ViewMeasures): number | null =>
  startups === 0 ? null : scoreAt(startupSeconds, startup_ms / startups / 1_000)

/** The mean of two scores, because many short interruptions are worse than a long one. */
export const smoothnessScore = ({ watch_ms, rebuffer_ms, rebuffers, views }: ViewMeasures): number | null => {
  const timeMs = watch_ms + rebuffer_ms
  if (views === 0 || timeMs === 0) return null
  return (scoreAt(rebufferRatio, rebuffer_ms / timeMs) + scoreAt(rebuffersPerView, rebuffers / views)) / 2
}

export const videoQualityScore = ({ scaled_ms, upscale_ms }: ViewMeasures): number | null =>
  scaled_ms === 0 ? null : scoreAt(upscaling, upscale_ms / scaled_ms)

const weights = [
  [playbackSuccessScore, 4],
  [smoothnessScore, 3],
  [startupTimeScore, 2],
  [videoQualityScore, 1],
] as const

/** The weighted mean of the scores that are known. */
export const viewerExperienceScore = (sums: ViewMeasures): number | null => {
  let [total, weight] = [0, 0]
  for (const [scoreOf, part] of weights) {
    const score = scoreOf(sums)
    if (score === null) continue
    total += part * score
    weight += part
  }
  return weight === 0 ? null : total / weight
}
