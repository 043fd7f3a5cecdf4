import type { ConnectionPool } from './connection-pool.ts'
import type { Client, Connection } from './connection.ts'

export type RawRow = readonly (Buffer | null)[]

/** Runs hand-written statements, each on a separate connection: never as part of a transaction. */
export interface Sql {
  <Rows extends readonly object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<Rows>
  readonly raw: (strings: TemplateStringsArray, ...values: readonly unknown[]) => Promise<RawRow[]>
  /** Takes a concatenated statement with its values as $1, $2, … */
  readonly rawText: (
    text: string,
    values: readonly unknown[],
    options: { readonly isPrepared: boolean },
  ) => Promise<RawRow[]>
}

export type RunOnConnection = <T>(start: (client: Client) => PromiseLike<T>) => Promise<T>

export const createSql = (run: RunOnConnection): Sql => {
  const tagged = <Rows>(strings: TemplateStringsArray, ...values: readonly unknown[]) =>
    run((client) => client(strings, ...(values as never[])) as unknown as PromiseLike<Rows>)
  return Object.assign(tagged, {
    raw: (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
      run((client) => client(strings, ...(values as never[])).raw() as unknown as PromiseLike<RawRow[]>),
    rawText: (text: string, values: readonly unknown[], { isPrepared }: { readonly isPrepared: boolean }) =>
      run(
        (client) =>
          client.unsafe(text, values as never[], { prepare: isPrepared }).raw() as unknown as PromiseLike<
            RawRow[]
          >,
      ),
  }) as Sql
}

export const withConnection = async <T>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
  const connection = await pool.acquire()
  try {
    return await work(connection)
  } finally {
    pool.release(connection)
  }
}
