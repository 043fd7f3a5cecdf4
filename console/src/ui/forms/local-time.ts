/** Formats for `<input type="datetime-local">`: local time without a zone, with a year of four digits. */
export const localTime = (instant: string): string => {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
