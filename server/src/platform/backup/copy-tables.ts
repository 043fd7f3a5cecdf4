import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../db/driver/connection.ts'
import type { BackedUpSequence, BackedUpTable } from './backup-manifest.ts'
import type { BackupSource } from './backup-source.ts'
import type { BackupTarget } from './backup-target.ts'

/** Schema of the job queue, which creates its tables itself. */
export const queueSchema = 'pgboss'
/** The migrations and the queue write these rows themselves. */
const leftOut = new Set(['public.schema_migrations', `${queueSchema}.version`])

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
  const rows = await connection.rows<Omit<BackedUpTable, 'File'>>(tablesQuery)
  return rows
    .filter(({ Schema, Name }) => !leftOut.has(`${Schema}.${Name}`))
    .map((row) => ({ ...row, File: `database/${row.Schema}.${row.Name}.copy.gz` }))
}

/** Snapshots do not cover sequences. Read after the rows, each value is at least as high as the rows need. */
export const listSequences = (connection: Connection): Promise<BackedUpSequence[]> =>
  connection.rows<BackedUpSequence>(
    `select schemaname as "Schema", sequencename as "Name", last_value::text as "LastValue"
     from pg_sequences where schemaname in (current_schema(), '${queueSchema}') and last_value is not null
     order by 1, 2`,
  )

/** Uses COPY's text format, which is the same in every version of PostgreSQL. */
export const dumpTable = async (
  connection: Connection,
  table: BackedUpTable,
  target: BackupTarget,
): Promise<void> => {
  const text = `copy (select ${columnList(table)} from ${quoted(table)}) to stdout`
  await pipeline(connection.copy(copyTo(text)), createGzip({ level: 1 }), (rows) =>
    target.write(table.File, rows),
  )
}

export const emptyTables = async (
  connection: Connection,
  tables: readonly BackedUpTable[],
): Promise<void> => {
  if (tables.length > 0) await connection.query(`truncate ${tables.map(quoted).join(', ')}`)
}

export const loadTable = async (
  connection: Connection,
  table: BackedUpTable,
  source: BackupSource,
): Promise<void> => {
  const text = `copy ${quoted(table)} (${columnList(table)}) from stdin`
  await pipeline(source.open(table.File), createGunzip(), connection.copy(copyFrom(text)))
}

export const setSequences = async (
  connection: Connection,
  sequences: readonly BackedUpSequence[],
): Promise<void> => {
  for (const sequence of sequences)
    await connection.query('select setval($1::text::regclass, $2::text::bigint, true)', [
      quoted(sequence),
      sequence.LastValue,
    ])
}

export const queueVersion = async (connection: Connection): Promise<number> => {
  const [row] = await connection.rows<{ version: number }>(`select version from ${queueSchema}.version`)
  return row?.version ?? 0
}
