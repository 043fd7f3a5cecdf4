import { kinds } from './kinds.ts'
import type { Usage } from './usage.ts'

/**
 * Columns for uPlot: the days in seconds, then for each kind the sum with those below it, for stacked areas.
 */
export const stackDays = (days: Usage['Days']): [number[], ...number[][]] => [
  days.map(({ Day }) => Date.parse(Day) / 1_000),
  ...kinds.map((_kind, place) =>
    days.map((day) => kinds.slice(0, place + 1).reduce((sum, { field }) => sum + day[field], 0)),
  ),
]
