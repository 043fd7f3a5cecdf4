import { currentLanguage, type Language } from '../shell/texts.ts'

/** Keeps one formatter for each language: making one takes longer than drawing the row that shows its result. */
export const perLanguage = <F>(make: (language: Language) => F): (() => F) => {
  const made = new Map<Language, F>()
  return () => {
    const language = currentLanguage()
    const formatter = made.get(language) ?? make(language)
    made.set(language, formatter)
    return formatter
  }
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

const byteFormats = units.map((unit) =>
  perLanguage(
    (language) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        // The short form would be "0 byte" in English.
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: unit === 'byte' ? 0 : 1,
      }),
  ),
)

/** Formats in powers of 1,000, as disk sizes are given. */
export const formatBytes = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return byteFormats[step]?.().format(bytes / 1_000 ** step) ?? ''
}

const numberFormat = perLanguage((language) => new Intl.NumberFormat(language))

export const formatNumber = (value: number): string => numberFormat().format(value)

/** `1:02:03`, or `0:05`. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

const timeFormat = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
)

export const formatTime = (instant: string | null): string =>
  instant === null ? '–' : timeFormat().format(new Date(instant))

const agoSteps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
] as const

const agoFormat = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

/** `5 minutes ago`. */
export const formatAgo = (instant: string, now: number): string => {
  let value = (new Date(instant).getTime() - now) / 1_000
  const format = agoFormat()
  for (const [unit, size] of agoSteps) {
    if (Math.abs(value) < size) return format.format(Math.round(value), unit)
    value /= size
  }
  return format.format(Math.round(value), 'day')
}
