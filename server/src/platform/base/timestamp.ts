/** ISO 8601 with a numeric UTC offset, never `Z`: the format of the API. */
export const toTimestamp = (instant: Date): string => instant.toISOString().replace('Z', '+00:00')

export const toTimestampOrNull = (instant: Date | null): string | null =>
  instant === null ? null : toTimestamp(instant)

/** Date.parse alone accepts 30 February as 2 March. */
export const isDay = (value: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value)
}
