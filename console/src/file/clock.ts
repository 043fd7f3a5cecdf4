/** Parses `1:02:03.5`, `62.5` or `1:02`. Returns null for anything else. */
export const parseClock = (text: string): number | null => {
  const trimmed = text.trim().replace(',', '.')
  if (!/^(\d{1,3}:)?(\d{1,4}:)?\d{1,6}(\.\d{1,6})?$/.test(trimmed)) return null
  return trimmed.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

/** Formats with hundredths: `0:04.52`. */
export const clockText = (seconds: number): string => {
  const hundredths = Math.round(seconds * 100)
  const whole = Math.floor(hundredths / 100)
  const hours = Math.floor(whole / 3_600)
  const minutes = Math.floor(whole / 60) % 60
  const two = (value: number): string => String(value).padStart(2, '0')
  const rest = `${two(whole % 60)}.${two(hundredths % 100)}`
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`
}
