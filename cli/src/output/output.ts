import { once } from 'node:events'
import { tableLines } from './table.ts'

export type ApiRecord = Readonly<Record<string, unknown>>

export interface Output {
  readonly isJson: boolean
  /** Prints one record with a field per line. `--json` prints it unchanged. */
  readonly record: (record: ApiRecord) => void
  readonly list: (answer: ApiRecord, key: string, columns: readonly string[]) => void
  /** Prints one record, and below it the list under `key` as a table. */
  readonly recordWithList: (record: ApiRecord, key: string, columns: readonly string[]) => void
  /** Prints one entry of an endless series: the text, or with `--json` the record on one line. */
  readonly entry: (record: ApiRecord, text: string) => void
  readonly text: (text: string) => void
  /** Prints a response as it arrives, no faster than its reader takes it. */
  readonly bytes: (body: AsyncIterable<Uint8Array>) => Promise<void>
  /** Printed for people only, omitted with `--json`. */
  readonly note: (line: string) => void
  /** Prints a line to standard error, so that it does not mix with the records. */
  readonly warn: (line: string) => void
  /** Rewrites its line on a terminal. Prints nothing elsewhere. */
  readonly progress: (line: string) => void
}

/** Removes control characters, which would control the terminal: values such as file names are untrusted. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

/** Escapes in JSON the characters that `printable` removes: JSON permits some that terminals interpret. */
export const escapedJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, (char) =>
    [...Array(char.length).keys()]
      .map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join(',')
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

/** `Metadata.Title` reads a nested field. */
const fieldOf = (record: ApiRecord, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as ApiRecord)[name]
          : undefined,
      record,
    )

const isObject = (value: unknown): value is ApiRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Flattens a record: nested values such as `Metadata.Title` or `Playouts.0.HLS` get their own lines unless
 * they are empty.
 */
const flatFields = (record: ApiRecord, prefix = ''): [name: string, text: string][] =>
  Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}${name}`
    const isList = Array.isArray(value) && value.some(isObject)
    if ((isObject(value) && Object.keys(value).length > 0) || isList)
      return flatFields(value as ApiRecord, `${path}.`)
    const isNothing = value === null || (Array.isArray(value) && value.length === 0)
    return isNothing && prefix !== '' ? [] : [[path, cell(value)]]
  })

/** The API has milliseconds, but seconds are sufficient in a table. */
const shortTime = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:]{8}(?:\.\d+)?\+00:00$/.test(text) ? `${text.slice(0, 19)}Z` : text

const table = (records: readonly ApiRecord[], columns: readonly string[]): string[][] => [
  columns.map((column) => column.split('.').at(-1) ?? column),
  ...records.map((record) => columns.map((column) => shortTime(cell(fieldOf(record, column))))),
]

export const createOutput = (
  isJson: boolean,
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
): Output => {
  const line = (text: string): void => void stdout.write(`${text}\n`)
  const json = (value: ApiRecord): void => line(escapedJson(value, 2))
  const fields = (record: ApiRecord): void => {
    const rows = flatFields(record)
    const width = Math.max(0, ...rows.map(([name]) => name.length))
    for (const [name, text] of rows) line(`${printable(name).padEnd(width)}  ${text}`)
  }
  const rows = (records: readonly ApiRecord[], columns: readonly string[]): void => {
    for (const row of tableLines(table(records, columns), stdout.isTTY ? stdout.columns : undefined))
      line(row)
  }
  return {
    isJson,
    record: isJson ? json : fields,
    recordWithList: (record, key, columns) => {
      if (isJson) return json(record)
      const { [key]: records, ...rest } = record
      fields(rest)
      line('')
      rows(records as ApiRecord[], columns)
    },
    entry: (record, text) => {
      if (isJson) return line(escapedJson(record))
      for (const one of text.split('\n')) line(printable(one))
    },
    list: (answer, key, columns) => {
      if (isJson) return json(answer)
      const records = answer[key] as ApiRecord[]
      rows(records, columns)
      const total = Number(answer['TotalCount'] ?? records.length)
      if (total > records.length)
        line(`${records.length} of ${total} records; use --offset for more, --all for all`)
    },
    text: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    bytes: async (body) => {
      for await (const chunk of body) if (!stdout.write(Buffer.from(chunk))) await once(stdout, 'drain')
    },
    note: (text) => {
      if (!isJson) line(text)
    },
    warn: (text) => void stderr.write(`${text}\n`),
    progress: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[K${printable(text)}`)
    },
  }
}
