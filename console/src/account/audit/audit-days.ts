import { currentLanguage } from '../../shell/texts.ts'
import type { Entry } from './audit-values.ts'

/** Returns the start of a local day as an instant for the API, or null for an invalid day. */
export const dayStart = (day: string | undefined, daysLater: number): string | null => {
  const start = new Date(`${day}T00:00:00`)
  if (day === undefined || Number.isNaN(start.getTime())) return null
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}

/** `Today`, `Yesterday`, or the date. */
const dayName = (instant: string): string => {
  const day = new Date(instant)
  const daysAgo = Math.round((new Date().setHours(0, 0, 0, 0) - day.setHours(0, 0, 0, 0)) / 86_400_000)
  const language = currentLanguage()
  if (daysAgo > 1) return new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(day)
  const name = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-daysAgo, 'day')
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The entries of each local day, in their order. */
export const byDay = (entries: readonly Entry[]): [day: string, entries: Entry[]][] => [
  ...Map.groupBy(entries, ({ OccurredAt }) => dayName(OccurredAt)),
]
