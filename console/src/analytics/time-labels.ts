import { currentLanguage, type Language } from '../shell/texts.ts'

type Interval = 'hour' | 'day' | 'month'

/** Days and months are in UTC, as the server counts them; hours are local. */
const tickOptions: Readonly<Record<Interval, Intl.DateTimeFormatOptions>> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short', timeZone: 'UTC' },
  month: { month: 'short', year: '2-digit', timeZone: 'UTC' },
}

const timeOptions: Readonly<Record<Interval, Intl.DateTimeFormatOptions>> = {
  hour: { dateStyle: 'medium', timeStyle: 'short' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  month: { month: 'long', year: 'numeric', timeZone: 'UTC' },
}

/** Label of an axis, from seconds. */
export const tickFormat = (interval: Interval, language: Language): ((seconds: number) => string) => {
  const format = new Intl.DateTimeFormat(language, tickOptions[interval])
  return (seconds) => format.format(seconds * 1_000)
}

export const timeFormat = (interval: Interval): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(currentLanguage(), timeOptions[interval])
