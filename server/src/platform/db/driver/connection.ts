import { Client, DatabaseError, type ClientConfig, type QueryResult, type Submittable } from 'pg'
import {
  RawQuery,
  RowQuery,
  SimpleQuery,
  type RawRow,
  type RunnableQuery,
  type Statement,
} from './prepared-query.ts'
import { valueTypes } from './value-types.ts'
import { watchedSocket } from './watched-socket.ts'

/** Either the URL of an external server or the Unix socket of the embedded one. */
export type ConnectionOptions = (
  | { readonly url: string }
  | {
      readonly host: string
      readonly user: string
      readonly password?: string
      readonly database: string
    }
) & {
  /** Names the key with which the process encrypts, so that a rotation finds processes with the former one. */
  readonly keyId?: string
}

/** Called after each attempt to open a connection. */
export type OnAttempt = (isSuccess: boolean) => void

export const connectTimeoutMs = 10_000

/** `pg` ignores this parameter of a URL, which decides where the tables are. */
const searchPathOf = (url: string): ClientConfig => {
  const path = /[?&]search_path=([^&]*)/.exec(url)?.[1]
  return path === undefined
    ? {}
    : { options: `-c search_path=${decodeURIComponent(path).replaceAll(/[\\\s]/g, '\\$&')}` }
}

/** PostgreSQL truncates names to 63 bytes. */
export const applicationName = (name: string, keyId: string | undefined): string =>
  keyId === undefined ? name : `${name} key=${keyId}`

export const clientOptions = ({ keyId, ...where }: ConnectionOptions): ClientConfig => ({
  ...('url' in where
    ? { connectionString: where.url, ...searchPathOf(where.url) }
    : { ...where, ssl: false }),
  application_name: applicationName('zoetrope', keyId),
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 60_000,
  stream: watchedSocket,
  types: valueTypes,
})

/** Returns whether PostgreSQL sent the error; the connection may still be lost. */
export const isServerError = (error: unknown): error is DatabaseError => error instanceof DatabaseError

export const connectionLost = (cause?: unknown): Error =>
  Object.assign(new Error('Lost the connection to the database.', { cause }), {
    code: 'CONNECTION_CLOSED',
  })

/** `pg` reports timeouts and closed sockets without a code. */
export const connectFailure = (error: unknown): Error =>
  (error as { code?: string }).code === undefined
    ? Object.assign(error as Error, { code: 'CONNECTION_CLOSED' })
    : (error as Error)

const isFatal = ({ severity }: DatabaseError): boolean => severity === 'FATAL' || severity === 'PANIC'

/** A migration has changed the result of a prepared statement, or its preparation has failed. */
const isStaleStatement = (error: unknown): boolean =>
  isServerError(error) &&
  (error.routine === 'RevalidateCachedQuery' || error.routine === 'FetchPreparedStatement')

/** A migration that adds a column changes the result of `select *` and `returning *`. */
const allColumns = /[\s."]\*(?=[\s,]|$)/

/**
 * PostgreSQL keeps thirty to forty times the length of a prepared statement. A few hundred statements are usual, but
 * each number of values in a list is another one.
 */
const mostPreparedCharacters = 1_000_000

const noValues: readonly unknown[] = []
const ignore = (): void => {}
/** PostgreSQL plans it each time. */
const unnamed = (): Statement => ({ name: '', hasAllColumns: true, columns: null })

/**
 * One connection to PostgreSQL. Statements with values are prepared once under a name, because PostgreSQL
 * plans an unnamed one each time. After a loss or a discard, every statement fails at once.
 */
export class Connection {
  readonly #client: Client
  readonly #statements = new Map<string, Statement>()
  #preparedCount = 0
  #preparedCharacters = 0
  #runningCount = 0
  #isUsable = true

  constructor(client: Client) {
    this.#client = client
    // Without a listener, losing an idle connection would end the process.
    client.on('error', () => this.discard())
    client.on('end', () => this.discard())
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  /** The prepared statements take too much memory, which only the end of the connection frees. */
  get isWorn(): boolean {
    return this.#preparedCharacters > mostPreparedCharacters
  }

  /** Without values, the text may contain several statements. */
  query<Row extends object>(text: string, values: readonly unknown[] = noValues): Promise<QueryResult<Row>> {
    if (values.length === 0) return this.#run(new SimpleQuery<Row>(text))
    return this.#runPrepared(text, (statement) => new RowQuery<Row>(text, values, statement))
  }

  async rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return (await this.query<Row>(text, values)).rows
  }

  raw(text: string, values: readonly unknown[], isPrepared: boolean): Promise<RawRow[]> {
    return isPrepared
      ? this.#runPrepared(text, () => new RawQuery(text, values))
      : this.#run(new RawQuery(text, values))
  }

  /** Starts a COPY, which is a stream. */
  copy<Stream extends Submittable>(stream: Stream): Stream {
    return this.#client.query(stream)
  }

  /** Succeeds without a connection too, because PostgreSQL has then rolled back. */
  async rollback(): Promise<void> {
    await this.query('rollback').catch(() => this.discard())
  }

  /**
   * A statement after this one fails if it waits longer for a lock. Not a parameter of the connection, because
   * PgBouncer refuses those that it does not know.
   */
  limitLockWaits(timeoutMs: number): void {
    this.query(`set lock_timeout = ${timeoutMs}`).catch(() => this.discard())
  }

  onceEnded(listener: () => void): void {
    this.#client.once('end', listener)
  }

  /** Closes the connection, which rolls back any open transaction. */
  discard(): void {
    this.#isUsable = false
    void this.#client.end()
    // `pg` would wait for the answers to statements that were sent.
    if (this.#runningCount > 0) this.#client.connection.stream.destroy()
  }

  /** Closes the connection after the statements that were sent. */
  end(): Promise<void> {
    this.#isUsable = false
    return this.#client.end()
  }

  #run<Result>(query: RunnableQuery<Result>): Promise<Result> {
    this.#runningCount += 1
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => {
        this.#runningCount -= 1
        // `pg` calls twice after a value that it cannot write.
        query.callback = ignore
        try {
          if (error !== null) throw this.#failure(error)
          resolve(query.read(result))
        } catch (cause) {
          reject(cause)
        }
      }
      this.#client.query(query)
    })
  }

  /**
   * Prepares a stale statement again. Within a transaction it is too late for that, so transactions do not prepare
   * statements that a migration can make stale.
   */
  async #runPrepared<Result>(
    text: string,
    create: (statement: Statement) => RunnableQuery<Result>,
    isRetry = false,
  ): Promise<Result> {
    const isInTransaction = this.#client.getTransactionStatus() !== 'I'
    const known = this.#statementOf(text)
    const statement = isInTransaction && known.hasAllColumns ? unnamed() : known
    const query = create(statement)
    query.name = statement.name
    try {
      return await this.#run(query)
    } catch (error) {
      if (!isStaleStatement(error)) throw error
      this.#statements.delete(text)
      if (isRetry || this.#client.getTransactionStatus() !== 'I') throw error
      return await this.#runPrepared(text, create, true)
    }
  }

  #statementOf(text: string): Statement {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      this.#preparedCount += 1
      this.#preparedCharacters += text.length
      statement = {
        name: `s${this.#preparedCount}`,
        hasAllColumns: allColumns.test(text),
        columns: null,
      }
      this.#statements.set(text, statement)
    }
    return statement
  }

  #failure(error: Error): Error {
    const isLost = isServerError(error) ? isFatal(error) : !this.#isUsable
    if (!isLost) return error
    this.discard()
    return connectionLost(error)
  }
}

/** The caller must discard the connection. */
export const openConnection = async (
  where: ConnectionOptions,
  { name = 'zoetrope', pipeline }: { readonly name?: string; readonly pipeline?: boolean } = {},
): Promise<Connection> => {
  const client = new Client({
    ...clientOptions(where),
    application_name: applicationName(name, where.keyId),
    ...(pipeline === undefined ? {} : { pipeline }),
  })
  const connection = new Connection(client)
  await client.connect().catch((error: unknown) => {
    throw connectFailure(error)
  })
  return connection
}
