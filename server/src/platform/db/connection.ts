import postgres from 'postgres'

/** Either the URL of an external server or the Unix socket of the embedded one. */
export type ConnectionOptions =
  | { readonly url: string }
  | { readonly host: string; readonly port?: number; readonly user: string; readonly database: string }

export type Client = postgres.Sql<Record<string, unknown>>

/** One exclusive connection to PostgreSQL. After a loss or a discard it stays unusable. */
export interface Connection {
  readonly isUsable: () => boolean
  /** Always settles: when the connection is lost, running queries fail then and later ones fail at once. */
  readonly run: <T>(start: (client: Client) => PromiseLike<T>) => Promise<T>
  /** Closes the connection, which rolls back any open transaction. */
  readonly discard: () => void
}

const int8Oid = 20
const jsonOids = { json: 114, jsonb: 3802 } as const

/** Ids are bigint in SQL but stay far below 2^53, so JavaScript numbers hold them. */
const bigintAsNumber = {
  to: int8Oid,
  from: [int8Oid],
  serialize: (value: number | bigint) => value.toString(),
  parse: (text: string) => Number(text),
}

/** postgres.js would encode a string that is already JSON a second time. */
const jsonPassingStrings = (oid: number) => ({
  to: oid,
  from: [oid],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
})

const createClient = (where: ConnectionOptions, max: number, onclose: () => void): Client => {
  const options = {
    max,
    // The pool handles both between two uses, never in the middle of a transaction.
    idle_timeout: 0,
    max_lifetime: null,
    // postgres.js notices a backend that ends during the handshake only after this timeout, whose default is
    // 30 s.
    connect_timeout: 10,
    connection: { application_name: 'zoetrope' },
    onclose,
    onnotice: () => {},
    types: {
      bigint: bigintAsNumber,
      json: jsonPassingStrings(jsonOids.json),
      jsonb: jsonPassingStrings(jsonOids.jsonb),
    },
  }
  return ('url' in where
    ? postgres(where.url, options)
    : postgres({ ...options, ...where })) as unknown as Client
}

const connectionLost = (cause?: unknown): Error =>
  Object.assign(new Error('Lost the connection to the database.', { cause }), {
    code: 'CONNECTION_CLOSED',
  })

/** Returns whether an established socket broke; a failed connect does not count. */
const isBrokenSocket = (error: unknown): boolean => {
  const { syscall } = error as { syscall?: string }
  return syscall === 'read' || syscall === 'write'
}

/** Any error except an ordinary server response leaves the connection in an unknown state. */
const isAnswer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity !== 'FATAL' && error.severity !== 'PANIC'

/**
 * Connects on the first query. Each connection is a separate postgres.js client, discarded on the first
 * fault. The pool of postgres.js would write to a lost reserved connection, which throws where no caller can
 * catch it. It would also send the rest of a transaction on a new connection (porsager/postgres issue 1208).
 */
export const openConnection = (where: ConnectionOptions): Connection => {
  const underWay = new Set<(error: Error) => void>()
  let isUsable = true
  const discard = (): void => {
    // Marks the connection first, so that no failed caller sends another query on it.
    isUsable = false
    for (const fail of underWay) fail(connectionLost())
    underWay.clear()
    client.end({ timeout: 0 }).catch(() => {})
  }
  const client = createClient(where, 1, () => discard())
  return {
    isUsable: () => isUsable,
    run: (start) =>
      new Promise((resolve, reject) => {
        if (!isUsable) return reject(connectionLost())
        underWay.add(reject)
        start(client).then(
          (value) => {
            underWay.delete(reject)
            resolve(value)
          },
          (error: unknown) => {
            underWay.delete(reject)
            if (!isAnswer(error)) discard()
            reject(isBrokenSocket(error) ? connectionLost(error) : (error as Error))
          },
        )
      }),
    discard,
  }
}

/**
 * Runs standalone statements. No caller reserves one of these connections, so postgres.js may pipeline
 * statements, which makes hot reads cheap, and reopen lost connections.
 */
export const openPipeline = (
  where: ConnectionOptions,
  maxConnections: number,
): { readonly run: Connection['run']; readonly close: (graceMs: number) => Promise<void> } => {
  const client = createClient(where, maxConnections, () => {})
  return {
    run: async (start) => {
      try {
        return await start(client)
      } catch (error) {
        throw isBrokenSocket(error) ? connectionLost(error) : error
      }
    },
    close: (graceMs) => client.end({ timeout: graceMs / 1_000 }),
  }
}
