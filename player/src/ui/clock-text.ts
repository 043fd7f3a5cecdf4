const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** 1:02:03 or 4:05. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  const rest = twoDigits(whole % 60)
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${twoDigits(minutes)}:${rest}`
}

const secondsOfUnits = (text: string): number | null => {
  const [, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,7})s)?$/i.exec(text) ?? []
  if (hours === undefined && minutes === undefined && seconds === undefined) return null
  return Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}

/** Parses the output of `clockText`, plain seconds, and `1h2m3s`. Returns null for anything else. */
export const parseClock = (text: string): number | null => {
  if (!/^\d{1,7}(?::\d{1,2}){0,2}(?:\.\d{1,3})?$/.test(text)) return secondsOfUnits(text)
  return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}
