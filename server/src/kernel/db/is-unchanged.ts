import { isDeepStrictEqual } from 'node:util'

/** jsonb columns are written as text and read as what it says. */
const meantBy = (written: unknown, present: unknown): unknown =>
  typeof written === 'string' && typeof present === 'object' && present !== null
    ? (JSON.parse(written) as unknown)
    : written

/** Whether a change would leave the row as it is: such a one gets no new version, no new time and no event. */
export const isUnchanged = <Row extends object>(
  row: Row,
  change: { readonly [Column in keyof Row]?: unknown },
): boolean =>
  (Object.keys(change) as (keyof Row)[]).every(
    (column) =>
      change[column] === undefined || isDeepStrictEqual(meantBy(change[column], row[column]), row[column]),
  )
