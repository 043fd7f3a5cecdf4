import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { directSite, unknownValue, type Dimensions } from '../dimensions/names.ts'
import { renditionDimensions } from '../dimensions/renditions.ts'
import type { ViewState } from './view-state.ts'

/** A player that does not report its states names dimensions only every 30 seconds. */
const isSettled = ({ isView, hasStates }: ViewState): boolean => isView && hasStates

/** The earlier value, except where it is unknown. */
export const mergeDimensions = (earlier: Dimensions, later: Dimensions): Dimensions => {
  const known = Object.entries(earlier).filter(([, value]) => value !== unknownValue && value !== directSite)
  return { ...earlier, ...later, ...Object.fromEntries(known) }
}

/** Takes the dimensions of a later report where earlier ones are unknown. Those that have counted do not change. */
export const nameDimensions = (view: ViewState, named: Dimensions): void => {
  if (!isSettled(view)) view.dimensions = mergeDimensions(view.dimensions, named)
}

/**
 * Returns what to add for the dimensions of the view. The measures wait until the session counts as a view, or has ended, because
 * players name some dimensions late.
 */
export const measuresByDimension = (
  view: ViewState,
  measures: Partial<ViewMeasures>,
  { hasEnded }: { readonly hasEnded: boolean },
): Partial<ViewMeasures> => {
  const all = { ...view.held }
  for (const [name, value] of Object.entries(measures) as [keyof ViewMeasures, number][])
    all[name] = (all[name] ?? 0) + value
  const isReady = hasEnded || isSettled(view)
  view.held = isReady ? {} : all
  return isReady ? all : {}
}

/** The dimensions of the record of a view. It names the rendition that played longest. */
export const recordedDimensions = ({ dimensions, renditionMs }: ViewState): Dimensions => {
  const [longest = null] = Object.keys(renditionMs).toSorted(
    (one, other) => (renditionMs[other] ?? 0) - (renditionMs[one] ?? 0),
  )
  return { ...dimensions, ...renditionDimensions(longest) }
}
