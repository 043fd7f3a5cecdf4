const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** 1:02:03 or 4:05. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  const rest = twoDigits(whole % 60)
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${twoDigits(minutes)}:${rest}`
}

/** Parses the output of `clockText`, and plain seconds. Returns null for anything else. */
export const parseClock = (text: string): number | null => {
  if (!/^\d{1,7}(?::\d{1,2}){0,2}(?:\.\d{1,3})?$/.test(text)) return null
  return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}
