import { Kysely, type Transaction } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import { createJoinedTransactions, type OpenTransaction } from './joined-transaction.ts'
import type { Tables } from './tables.ts'

export type Tx = Transaction<Tables>
/** Where a query may run: the pool, or a transaction that is under way. */
export type Queryable = Kysely<Tables>

export interface Database {
  /** The pool; within a joined transaction, that one. */
  readonly kysely: Queryable
  /** postgres.js itself, for hand-written prepared reads that want raw buffers. */
  readonly sql: postgres.Sql<Record<string, unknown>>
  readonly connection: ConnectionOptions
  /** Commits when `work` is done; within a joined transaction it is a part of that, which commits later. */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Opens a transaction for others to join; whoever calls this must commit it or roll it back. */
  readonly beginJoined: () => Promise<OpenTransaction>
  readonly close: () => Promise<void>
}

/** Either a URL of an external server or the Unix socket of the embedded one. */
export type ConnectionOptions =
  | { readonly url: string }
  | { readonly host: string; readonly port?: number; readonly user: string; readonly database: string }

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

const createClient = (connection: ConnectionOptions, maxConnections: number) => {
  const options = {
    max: maxConnections,
    connection: { application_name: 'zoetrope' },
    onnotice: () => {},
    types: {
      bigint: bigintAsNumber,
      json: jsonPassingStrings(jsonOids.json),
      jsonb: jsonPassingStrings(jsonOids.jsonb),
    },
  }
  return 'url' in connection ? postgres(connection.url, options) : postgres({ ...options, ...connection })
}

export const openDatabase = (
  connection: ConnectionOptions,
  options: { maxConnections?: number } = {},
): Database => {
  const sql = createClient(connection, options.maxConnections ?? 10) as unknown as Database['sql']
  const joined = createJoinedTransactions(
    new Kysely<Tables>({ dialect: new PostgresJSDialect({ postgres: sql }) }),
  )
  return {
    get kysely() {
      return joined.current()
    },
    sql,
    connection,
    transaction: joined.transaction,
    beginJoined: joined.begin,
    close: async () => {
      await sql.end({ timeout: 5 })
    },
  }
}
