export type ApiRecord = Readonly<Record<string, unknown>>

export interface Output {
  /** One record, a field a line; `--json` prints it as it came. */
  readonly record: (record: ApiRecord) => void
  /** The records of a list answer as a table of these fields. */
  readonly list: (answer: ApiRecord, key: string, columns: readonly string[]) => void
  /** One record, and below it the list that it holds under `key` as a table. */
  readonly recordWithList: (record: ApiRecord, key: string, columns: readonly string[]) => void
  /** One of a series without end: the text, or with `--json` the record in one line. */
  readonly entry: (record: ApiRecord, text: string) => void
  /** For the person only: left out with `--json`. */
  readonly note: (line: string) => void
  /** Overwrites itself on a terminal; nothing elsewhere. */
  readonly progress: (line: string) => void
}

/** A value may come from strangers (a file's name): control characters would speak to the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join(',')
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

/** `Metadata.Title` reaches into the record. */
const fieldOf = (record: ApiRecord, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as ApiRecord | null | undefined)?.[name], record)

const maxCellWidth = 60

const table = (records: readonly ApiRecord[], columns: readonly string[]): string[] => {
  const heads = columns.map((column) => column.split('.').at(-1) ?? column)
  const rows = records.map((record) =>
    columns.map((column) => cell(fieldOf(record, column)).slice(0, maxCellWidth)),
  )
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  return [heads, ...rows].map((row) =>
    row
      .map((one, index) => one.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export const createOutput = (
  isJson: boolean,
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
): Output => {
  const line = (text: string): void => void stdout.write(`${text}\n`)
  const json = (value: ApiRecord): void => line(JSON.stringify(value, null, 2))
  const fields = (record: ApiRecord): void => {
    const width = Math.max(...Object.keys(record).map((name) => name.length))
    for (const [name, value] of Object.entries(record)) line(`${name.padEnd(width)}  ${cell(value)}`)
  }
  return {
    record: isJson ? json : fields,
    recordWithList: (record, key, columns) => {
      if (isJson) return json(record)
      const { [key]: records, ...rest } = record
      fields(rest)
      line('')
      for (const row of table(records as ApiRecord[], columns)) line(row)
    },
    entry: (record, text) => {
      if (isJson) return line(JSON.stringify(record))
      for (const one of text.split('\n')) line(printable(one))
    },
    list: (answer, key, columns) => {
      if (isJson) return json(answer)
      const records = answer[key] as ApiRecord[]
      for (const row of table(records, columns)) line(row)
      const total = Number(answer['TotalCount'] ?? records.length)
      if (total > records.length) line(`${records.length} of ${total}; more with --offset`)
    },
    note: (text) => {
      if (!isJson) line(text)
    },
    progress: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[K${text}`)
    },
  }
}
