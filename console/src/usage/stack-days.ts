import { aheadDays, type Forecast } from './forecast.ts'
import { kinds } from './kinds.ts'
import type { Usage } from './usage.ts'

const daySeconds = 86_400

type Column = (number | null)[]

/**
 * Columns for uPlot: the days in seconds, then for each kind the sum with those below it, for stacked areas,
 * and last the forecast of the total, which begins at the last day.
 */
export const stackDays = (days: Usage['Days'], forecast: Forecast): [number[], ...Column[]] => {
  const times = days.map(({ Day }) => Date.parse(Day) / 1_000)
  const last = days.at(-1)
  const [lastTime = 0, lastBytes = 0] = [times.at(-1), last?.StorageBytes]
  const ahead = forecast.kind === 'known' && last !== undefined ? [...Array(aheadDays).keys()] : []
  const growth = forecast.kind === 'known' ? forecast.bytesPerDay : 0
  const later = ahead.map(() => null)
  return [
    [...times, ...ahead.map((day) => lastTime + (day + 1) * daySeconds)],
    ...kinds.map((_kind, place): Column => [
      ...days.map((day) => kinds.slice(0, place + 1).reduce((sum, { field }) => sum + day[field], 0)),
      ...later,
    ]),
    [
      ...days.map((day) => (day === last && ahead.length > 0 ? lastBytes : null)),
      ...ahead.map((day) => Math.max(0, lastBytes + (day + 1) * growth)),
    ],
  ]
}
