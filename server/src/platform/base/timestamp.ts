/** ISO 8601 with a numeric UTC offset, never `Z`: the format of the API. */
export const toTimestamp = (instant: Date): string => instant.toISOString().replace('Z', '+00:00')

export const toTimestampOrNull = (instant: Date | null): string | null =>
  instant === null ? null : toTimestamp(instant)
