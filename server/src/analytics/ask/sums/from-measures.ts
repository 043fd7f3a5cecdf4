import type { ViewMeasures } from '../../../platform/db/tables/analytics.ts'

/** A value that is computed from some of the measures. */
export interface FromMeasures<Name extends keyof ViewMeasures> {
  readonly measures: readonly Name[]
  readonly valueOf: (sums: Pick<ViewMeasures, Name>) => number | null
}

/** Declares the measures of a value. The type of `valueOf` allows no others. */
export const from = <const Name extends keyof ViewMeasures>(
  measures: readonly Name[],
  valueOf: (sums: Pick<ViewMeasures, Name>) => number | null,
): FromMeasures<Name> => ({ measures, valueOf })
