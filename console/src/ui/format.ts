import { currentLanguage } from '../shell/texts.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats in powers of 1,000, as disk sizes are given. */
export const formatBytes = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit: units[step] ?? 'byte',
    // The short form would be "0 byte" in English.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** step)
}

export const formatNumber = (value: number): string => new Intl.NumberFormat(currentLanguage()).format(value)

/** `1:02:03`, or `0:05`. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

export const formatTime = (instant: string | null): string =>
  instant === null
    ? '–'
    : new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date(instant),
      )

const agoSteps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
] as const

/** `5 minutes ago`. */
export const formatAgo = (instant: string, now: number): string => {
  let value = (new Date(instant).getTime() - now) / 1_000
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' })
  for (const [unit, size] of agoSteps) {
    if (Math.abs(value) < size) return format.format(Math.round(value), unit)
    value /= size
  }
  return format.format(Math.round(value), 'day')
}
