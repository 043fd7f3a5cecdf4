const dayMs = 86_400_000

/** A weekly rhythm, such as fewer uploads on Sundays, must not look like growth. */
export const minDays = 7
const windowDays = 28
/** How far the forecast looks ahead. */
export const aheadDays = 30

interface DayOfUsage {
  readonly Day: string
  readonly StorageBytes: number
}

export type Forecast =
  /** Fewer than seven days of history. */
  | { readonly kind: 'unknown'; readonly historyDays: number }
  | {
      readonly kind: 'known'
      readonly overDays: number
      readonly bytesPerDay: number
      readonly bytesAhead: number
    }

/**
 * Continues the average growth: (now − value n days ago) ÷ n bytes a day, with n = 28 days, or less history,
 * but at least 7. docs/usage.md explains it. `days` are sorted, the last one has the present value.
 */
export const forecastOf = (days: readonly DayOfUsage[]): Forecast => {
  const last = days.at(-1)
  if (last === undefined) return { kind: 'unknown', historyDays: 0 }
  const ageOf = ({ Day }: DayOfUsage): number => Math.round((Date.parse(last.Day) - Date.parse(Day)) / dayMs)
  const first = days.find((day) => ageOf(day) <= windowDays) ?? last
  const overDays = ageOf(first)
  if (overDays < minDays) return { kind: 'unknown', historyDays: overDays }
  const bytesPerDay = (last.StorageBytes - first.StorageBytes) / overDays
  const bytesAhead = Math.max(0, last.StorageBytes + aheadDays * bytesPerDay)
  return { kind: 'known', overDays, bytesPerDay, bytesAhead }
}

/** Days until the quota is used up. Null = not at this rate, or later than a year. */
export const daysUntilFull = (forecast: Forecast, usedBytes: number, quotaBytes: number): number | null => {
  if (usedBytes >= quotaBytes) return 0
  if (forecast.kind === 'unknown' || forecast.bytesPerDay <= 0) return null
  const days = Math.ceil((quotaBytes - usedBytes) / forecast.bytesPerDay)
  return days > 365 ? null : days
}
