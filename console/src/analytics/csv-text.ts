export type CsvRow = readonly (string | number | null)[]

/** RFC 4180: fields with quotes, commas or line breaks are quoted. A formula would run in a spreadsheet. */
const fieldOf = (value: string | number | null): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: readonly CsvRow[]): string =>
  rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')
