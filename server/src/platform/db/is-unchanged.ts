import { isDeepStrictEqual } from 'node:util'

/** jsonb columns are written as JSON text but read as parsed values. */
const meantBy = (written: unknown, present: unknown): unknown =>
  typeof written === 'string' && typeof present === 'object' && present !== null
    ? (JSON.parse(written) as unknown)
    : written

/**
 * Returns whether a change would leave the row unchanged. Such a change gets no new version, timestamp or
 * event.
 */
export const isUnchanged = <Row extends object>(
  row: Row,
  change: { readonly [Column in keyof Row]?: unknown },
): boolean =>
  (Object.keys(change) as (keyof Row)[]).every(
    (column) =>
      change[column] === undefined || isDeepStrictEqual(meantBy(change[column], row[column]), row[column]),
  )
