import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { finished, pipeline as runPipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Connection } from '../db/connection.ts'
import type { BackedUpSequence, BackedUpTable } from './backup-manifest.ts'

/** Schema of the job queue, which creates its tables itself. */
export const queueSchema = 'pgboss'
/** The migrations and the queue write these rows themselves. */
const leftOut = new Set(['public.schema_migrations', `${queueSchema}.version`])

const run = <Row extends object>(connection: Connection, text: string): Promise<Row[]> =>
  connection.run((client) => client.unsafe<Row[]>(text))

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quoted = ({ Schema, Name }: { readonly Schema: string; readonly Name: string }): string =>
  `${quote(Schema)}.${quote(Name)}`
const columnList = ({ Columns }: BackedUpTable): string => Columns.map(quote).join(', ')

/** Partitions are copied through their table; PostgreSQL computes generated columns again. */
const tablesQuery = `
  select n.nspname as "Schema", c.relname as "Name",
    array_agg(a.attname::text order by a.attnum) as "Columns"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where n.nspname in (current_schema(), '${queueSchema}') and c.relkind in ('r', 'p') and not c.relispartition
  group by 1, 2 order by 1, 2`

export const listTables = async (connection: Connection): Promise<BackedUpTable[]> => {
  const rows = await run<Omit<BackedUpTable, 'File'>>(connection, tablesQuery)
  return rows
    .filter(({ Schema, Name }) => !leftOut.has(`${Schema}.${Name}`))
    .map((row) => ({ ...row, File: `database/${row.Schema}.${row.Name}.copy.gz` }))
}

/** Snapshots do not cover sequences. Read after the rows, each value is at least as high as the rows need. */
export const listSequences = (connection: Connection): Promise<BackedUpSequence[]> =>
  run<BackedUpSequence>(
    connection,
    `select schemaname as "Schema", sequencename as "Name", last_value::text as "LastValue"
     from pg_sequences where schemaname in (current_schema(), '${queueSchema}') and last_value is not null
     order by 1, 2`,
  )

/** Uses COPY's text format, which is the same in every version of PostgreSQL. */
export const dumpTable = async (
  connection: Connection,
  table: BackedUpTable,
  folder: string,
): Promise<void> => {
  const text = `copy (select ${columnList(table)} from ${quoted(table)}) to stdout`
  const rows = await connection.run((client) => client.unsafe(text).readable())
  await runPipeline(
    rows,
    createGzip({ level: 1 }),
    createWriteStream(join(folder, table.File), { mode: 0o600 }),
  )
  // The client pauses its socket while the reader is slower than the server, and resumes it on the next read.
  // When the last rows have already arrived, no read follows, and the next statement would wait forever.
  // oxlint-disable-next-line no-underscore-dangle -- The name by which Node.js asks a stream for more.
  rows._read(0)
}

export const emptyTables = async (
  connection: Connection,
  tables: readonly BackedUpTable[],
): Promise<void> => {
  if (tables.length > 0) await run(connection, `truncate ${tables.map(quoted).join(', ')}`)
}

/**
 * Requires a transaction: the client's stream does not report an error after its last byte. The next
 * statement then fails, because the transaction is aborted.
 */
export const loadTable = async (
  connection: Connection,
  table: BackedUpTable,
  folder: string,
): Promise<void> => {
  const text = `copy ${quoted(table)} (${columnList(table)}) from stdin`
  const target = await connection.run((client) => client.unsafe(text).writable())
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  target.on('error', failed.reject)
  const source = pipeline(createReadStream(join(folder, table.File)), createGunzip(), () => {})
  const load = async (): Promise<void> => {
    for await (const part of source)
      await new Promise<void>((resolve, reject) => {
        target.write(part, (error) => (error ? reject(error) : resolve()))
      })
    target.end()
    const ended = finished(target)
    ended.catch(() => {})
    // After this turn the end of the rows is sent, so that the next message is a statement.
    await nextTurn()
    await Promise.race([ended, run(connection, 'select 1')])
  }
  await Promise.race([load(), failed.promise])
}

export const setSequences = async (
  connection: Connection,
  sequences: readonly BackedUpSequence[],
): Promise<void> => {
  for (const sequence of sequences)
    await connection.run((client) =>
      client.unsafe('select setval($1::text::regclass, $2::text::bigint, true)', [
        quoted(sequence),
        sequence.LastValue,
      ]),
    )
}

export const queueVersion = async (connection: Connection): Promise<number> => {
  const [row] = await run<{ version: number }>(connection, `select version from ${queueSchema}.version`)
  return row?.version ?? 0
}
