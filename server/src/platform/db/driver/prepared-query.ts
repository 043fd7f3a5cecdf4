import { Query, type Connection, type FieldDef, type QueryResult } from 'pg'
import { valueTypes, type ValueParser } from './value-types.ts'

/** Column values as the server sent them. */
export type RawRow = readonly (string | null)[]

interface Columns {
  readonly names: readonly string[]
  readonly parsers: readonly ValueParser[]
  /** Objects of one shape are faster to fill. */
  readonly emptyRow: Readonly<Record<string, null>>
}

const noColumns: Columns = { names: [], parsers: [], emptyRow: {} }

/** A statement that PostgreSQL keeps with its plan under a name for the life of a connection. */
export interface Statement {
  readonly name: string
  /** A new column of its table changes the result. */
  readonly hasAllColumns: boolean
  /** Null until the first answer. */
  columns: Columns | null
}

type Callback = (error: Error | null, result: QueryResult) => void

/** Members of pg's `Query` that its types omit. */
interface OpenQuery {
  name: string | undefined
  callback: Callback
  submit: (connection: Connection) => void
  prepare(connection: Connection): void
}

const PgQuery = Query as unknown as new (text: string, values?: readonly unknown[]) => OpenQuery

export interface RunnableQuery<Result> extends OpenQuery {
  /** May throw. */
  readonly read: (result: QueryResult) => Result
}

/** Without values; the text may contain several statements. */
export class SimpleQuery<Row extends object> extends PgQuery implements RunnableQuery<QueryResult<Row>> {
  read(result: QueryResult): QueryResult<Row> {
    return result as QueryResult<Row>
  }
}

const undescribed = new WeakMap<Connection, Connection>()

/** `pg` asks for the description of the columns each time, which costs as much as a short row. */
const withoutDescribe = (connection: Connection): Connection => {
  let found = undescribed.get(connection)
  if (found === undefined) {
    found = Object.create(connection, { describe: { value: () => {} } }) as Connection
    undescribed.set(connection, found)
  }
  return found
}

/** Returns the values as text. */
export class RawQuery extends PgQuery implements RunnableQuery<RawRow[]> {
  readonly rawRows: RawRow[] = []

  override prepare(connection: Connection): void {
    super.prepare(withoutDescribe(connection))
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    this.rawRows.push(fields)
  }

  read(): RawRow[] {
    return this.rawRows
  }
}

export class RowQuery<Row extends object> extends PgQuery implements RunnableQuery<QueryResult<Row>> {
  readonly #statement: Statement
  readonly #rawRows: RawRow[] = []

  constructor(text: string, values: readonly unknown[], statement: Statement) {
    super(text, values)
    this.#statement = statement
  }

  override prepare(connection: Connection): void {
    super.prepare(this.#statement.columns === null ? connection : withoutDescribe(connection))
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    const names = fields.map(({ name }) => name)
    this.#statement.columns = {
      names,
      parsers: fields.map(({ dataTypeID }) => valueTypes.getTypeParser(dataTypeID)),
      emptyRow: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    this.#rawRows.push(fields)
  }

  read({ command, rowCount }: QueryResult): QueryResult<Row> {
    const columns = (this.#statement.columns ??= noColumns)
    const rows = this.#rawRows.map((raw) => toRow(raw, columns))
    return { command, rowCount, rows } as QueryResult<Row>
  }
}

const toRow = (raw: RawRow, { names, parsers, emptyRow }: Columns): object => {
  const row: Record<string, unknown> = { ...emptyRow }
  for (let index = 0; index < raw.length; index += 1) {
    const value = raw[index] as string | null
    if (value !== null) row[names[index] as string] = (parsers[index] as ValueParser)(value)
  }
  return row
}
