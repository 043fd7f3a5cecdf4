import postgres from 'postgres'

/** Either a URL of an external server or the Unix socket of the embedded one. */
export type ConnectionOptions =
  | { readonly url: string }
  | { readonly host: string; readonly port?: number; readonly user: string; readonly database: string }

export type Client = postgres.Sql<Record<string, unknown>>

/** One connection to PostgreSQL. Whoever holds it has it alone; once it is lost or discarded it stays unusable. */
export interface Connection {
  readonly isUsable: () => boolean
  /** Settles in any case: what is under way when the connection is lost fails then, and what comes later fails at once. */
  readonly run: <T>(start: (client: Client) => PromiseLike<T>) => Promise<T>
  /** Closes it, and so takes back whatever it had begun. */
  readonly discard: () => void
}

const int8Oid = 20
const jsonOids = { json: 114, jsonb: 3802 } as const

/** Ids are bigint in SQL and stay far below 2^53, so they are numbers here. */
const bigintAsNumber = {
  to: int8Oid,
  from: [int8Oid],
  serialize: (value: number | bigint) => value.toString(),
  parse: (text: string) => Number(text),
}

/** postgres.js would encode a string that is JSON already a second time. */
const jsonPassingStrings = (oid: number) => ({
  to: oid,
  from: [oid],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
})

const createClient = (where: ConnectionOptions, max: number, onclose: () => void): Client => {
  const options = {
    max,
    // The pool sees to both, between two uses and never in the middle of a transaction.
    idle_timeout: 0,
    max_lifetime: null,
    // A backend that is ended while it says hello is not missed before that: nobody should wait 30 s for it, as they would by default.
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
  Object.assign(new Error('The connection to the database was lost.', { cause }), {
    code: 'CONNECTION_CLOSED',
  })

/** A socket that broke, other than one that never came to be. */
const isBrokenSocket = (error: unknown): boolean => {
  const { syscall } = error as { syscall?: string }
  return syscall === 'read' || syscall === 'write'
}

/** Anything but an ordinary answer of the server leaves a connection behind of which nobody knows what it will do next. */
const isAnswer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity !== 'FATAL' && error.severity !== 'PANIC'

/**
 * Connects with the first query. Each connection is a client of postgres.js of its own, thrown away as soon as anything is wrong with it: the
 * pool of postgres.js itself would write to a reserved connection that is gone, which throws where nobody can catch it, or would send the rest
 * of a transaction on a new one (porsager/postgres issue 1208).
 */
export const openConnection = (where: ConnectionOptions): Connection => {
  const underWay = new Set<(error: Error) => void>()
  let isUsable = true
  const discard = (): void => {
    // First, so that nobody who learns of it sends another query.
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
 * For statements that stand alone. Nobody reserves one of these connections, so postgres.js may send many statements one behind the other,
 * which is what makes hot reads cheap, and open lost ones anew.
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
