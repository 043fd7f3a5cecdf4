import { tableLines } from './table.ts'

export type ApiRecord = Readonly<Record<string, unknown>>

export interface Output {
  readonly isJson: boolean
  /** One record, a field a line; `--json` prints it as it came. */
  readonly record: (record: ApiRecord) => void
  /** The records of a list answer as a table of these fields. */
  readonly list: (answer: ApiRecord, key: string, columns: readonly string[]) => void
  /** One record, and below it the list that it holds under `key` as a table. */
  readonly recordWithList: (record: ApiRecord, key: string, columns: readonly string[]) => void
  /** One of a series without end: the text, or with `--json` the record in one line. */
  readonly entry: (record: ApiRecord, text: string) => void
  /** A document that is text of its own, as it is. */
  readonly text: (text: string) => void
  /** For the person only: left out with `--json`. */
  readonly note: (line: string) => void
  /** Overwrites itself on a terminal; nothing elsewhere. */
  readonly progress: (line: string) => void
}

/** A value may come from strangers (a file's name): control characters would speak to the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

/** The same JSON, in which what `printable` takes away is written by its number: a terminal obeys some that JSON lets stand. */
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

/** `Metadata.Title` reaches into the record. */
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

/** `Metadata.Title`, `Playouts.0.HLS`: what lies inside gets lines of its own, unless there is nothing. */
const flatFields = (record: ApiRecord, prefix = ''): [name: string, text: string][] =>
  Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}${name}`
    const isList = Array.isArray(value) && value.some(isObject)
    if ((isObject(value) && Object.keys(value).length > 0) || isList)
      return flatFields(value as ApiRecord, `${path}.`)
    const isNothing = value === null || (Array.isArray(value) && value.length === 0)
    return isNothing && prefix !== '' ? [] : [[path, cell(value)]]
  })

/** The API tells thousandths; to see which of two was first, seconds will do. */
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
      if (total > records.length) line(`${records.length} of ${total}; more with --offset, all with --all`)
    },
    text: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    note: (text) => {
      if (!isJson) line(text)
    },
    progress: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[K${printable(text)}`)
    },
  }
}
