import type { ViewMeasures } from '../../../platform/db/tables/analytics.ts'
import { isFine, otherValues, unknownValue } from '../../dimensions/names.ts'
import { measureNames } from '../../store/measures.ts'
import type { AskedDimension, SumRow } from './read-sums.ts'

export const sumOf = (rows: readonly ViewMeasures[]): ViewMeasures =>
  Object.fromEntries(
    measureNames.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as unknown as ViewMeasures

/** Few views with one value of a fine dimension could point to a person. */
export const isHidden = (
  { views }: ViewMeasures,
  dimension: AskedDimension | null,
  smallestGroup: number,
): boolean =>
  dimension !== null && dimension.value !== unknownValue && isFine(dimension.name) && views < smallestGroup

/** Adds up values with few views as `other`, so that the total stays. */
export const mergeSmallGroups = (
  rows: readonly SumRow[],
  dimension: AskedDimension,
  smallestGroup: number,
): readonly SumRow[] => {
  const isSmall = (row: SumRow): boolean =>
    row.key === otherValues || isHidden(row, { ...dimension, value: row.key }, smallestGroup)
  const small = rows.filter(isSmall)
  if (small.length === 0) return rows
  return [...rows.filter((row) => !isSmall(row)), { key: otherValues, ...sumOf(small) }]
}
