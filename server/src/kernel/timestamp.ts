/** ISO 8601 with a numeric UTC offset, never `Z`: the wire format that the contract fixes. */
export const toTimestamp = (instant: Date): string => instant.toISOString().replace('Z', '+00:00')

export const toTimestampOrNull = (instant: Date | null): string | null =>
  instant === null ? null : toTimestamp(instant)
