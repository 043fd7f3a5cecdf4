import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { heatParts } from './heat.ts'
import type { ReportLine } from './report.ts'
import type { ViewState } from './view-state.ts'

/** A view is complete when it played this share of the length. */
const completeShare = 0.9

/** Players that report no playhead are judged by their watch time. */
export const isWhole = ({ lengthMs, reached, watchMs }: ViewState): boolean => {
  if (lengthMs === null || lengthMs === 0) return false
  return reached.length > 0
    ? reached.length >= completeShare * heatParts
    : watchMs >= completeShare * lengthMs
}

/** Adds a time of playing, which ends with this line, to what is known about the rendition. */
export const measureRendition = (
  view: ViewState,
  ms: number,
  { bitRateKbps }: ReportLine,
): Partial<ViewMeasures> => {
  const measures: Partial<ViewMeasures> = {}
  const kbps = view.bitRateKbps ?? bitRateKbps
  if (kbps !== null) {
    // Milliseconds multiplied by kbit/s are bits.
    Object.assign(measures, { rated_ms: ms, rated_bits: ms * kbps })
    view.ratedMs += ms
    view.ratedBits += ms * kbps
  }
  const { scalePercent } = view
  if (scalePercent === null) return measures
  view.scaledMs += ms
  measures.scaled_ms = ms
  if (scalePercent <= 100) return measures
  view.upscaledMs += ms
  measures.upscaled_ms = ms
  measures.upscale_ms = Math.round((ms * (scalePercent - 100)) / 100)
  return measures
}
