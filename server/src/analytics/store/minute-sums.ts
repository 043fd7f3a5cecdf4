import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { minuteMeasures } from './measures.ts'

export interface MinuteSum extends Pick<ViewMeasures, (typeof minuteMeasures)[number]> {
  viewers: number
}

export const noMinute = (): MinuteSum => ({
  ...(Object.fromEntries(minuteMeasures.map((name) => [name, 0])) as unknown as MinuteSum),
  viewers: 0,
})

export const hasMinuteMeasure = (measures: Partial<ViewMeasures>): boolean =>
  minuteMeasures.some((name) => (measures[name] ?? 0) !== 0)

export const addToMinute = (sum: MinuteSum, measures: Partial<ViewMeasures>): void => {
  for (const name of minuteMeasures) sum[name] += measures[name] ?? 0
}
