import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import { openConnection } from '../../platform/db/driver/connection.ts'
import type { StoredViews } from '../store/stored-views.ts'
import {
  beginArchive,
  describeArchive,
  type Contents,
  type Erasure,
  type MonthOfArchives,
} from './archive-store.ts'
import { columnOf, type Archive } from './list-archives.ts'
import type { DuckDb } from './duckdb/duckdb.ts'
import type { Value } from './duckdb/protocol.ts'

export interface ArchiveWriter {
  readonly database: Database
  readonly blobs: BlobStore
  readonly duckDb: DuckDb
  /** For files that exist only while an archive is written. */
  readonly workFolder: string
}

/** The views of one account and day that no archive has yet. */
export interface Group {
  readonly accountId: number
  readonly day: string
  readonly contents: Contents
}

const dimensionName = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
const mostDimensions = 100

/** The columns of an archive with their types in Parquet, apart from the dimensions. */
const columns = {
  id: 'bigint',
  project_id: 'bigint',
  file_id: 'bigint',
  kind: 'varchar',
  source: 'varchar',
  started_at: 'timestamp',
  ended_at: 'timestamp',
  watch_ms: 'bigint',
  startup_ms: 'bigint',
  rebuffers: 'integer',
  rebuffer_ms: 'bigint',
  has_started: 'boolean',
  has_failed: 'boolean',
  error_code: 'varchar',
  is_complete: 'boolean',
  bit_rate: 'bigint',
  upscaled_ms: 'bigint',
} as const

/** What ended before `until` and is not yet in an archive. The values are numbers and dates of our own. */
const pending = (done: StoredViews, until: StoredViews): string =>
  `id <= ${until.viewId} and ended_at < '${until.before}T00:00:00Z'
    and (id > ${done.viewId} or ended_at >= '${done.before}T00:00:00Z')`

export const listGroups = async (
  { kysely }: Database,
  done: StoredViews,
  until: StoredViews,
): Promise<Group[]> => {
  const { rows } = await sql<{ accountId: number; day: string } & Contents>`
    select account_id as "accountId", (ended_at at time zone 'utc')::date::text as day, count(distinct id)::bigint as views,
      coalesce(array_agg(distinct key) filter (where key is not null), '{}') as dimensions,
      array_agg(distinct project_id) as "projectIds",
      coalesce(array_agg(distinct file_id) filter (where file_id is not null), '{}') as "fileIds"
    from views left join lateral jsonb_object_keys(dimensions) as key on true
    where ${sql.raw(pending(done, until))}
    group by 1, 2 order by 1, 2`.execute(kysely)
  return rows.map(({ accountId, day, ...contents }) => ({
    accountId,
    day,
    contents: {
      ...contents,
      dimensions: contents.dimensions.filter((name) => dimensionName.test(name)).slice(0, mostDimensions),
    },
  }))
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** COPY takes no parameters. Names of dimensions contain neither quotes nor backslashes. */
const copyText = ({ accountId, day, contents }: Group, done: StoredViews, until: StoredViews): string => {
  const selected = Object.entries(columns).map(([name, type]) =>
    type === 'timestamp' ? `${name} at time zone 'utc' as ${name}` : name,
  )
  const dimensions = contents.dimensions.map((name) => `dimensions ->> ${quote(name)}`)
  return `copy (
    select ${[...selected, ...dimensions].join(', ')} from views
    where account_id = ${accountId} and ended_at >= '${day}T00:00:00Z' and ended_at < '${day}T00:00:00Z'::timestamptz + interval '1 day'
      and ${pending(done, until)}
    order by project_id, file_id, ended_at
  ) to stdout (format csv)`
}

/** A reader skips groups of rows without the projects and files of a question, and reads others with several threads. */
const rowsInGroup = 250_000
const parquet = `(format parquet, compression zstd, row_group_size ${rowsInGroup})`
/** Archives of older releases lack the latest columns. */
const readAll = (paths: readonly string[]): string =>
  `read_parquet([${paths.map(quote).join(', ')}], union_by_name = true)`

/** Moves a finished file into the store, and describes it. */
const store = async (
  { database, blobs }: ArchiveWriter,
  archive: Pick<Archive, 'id' | 'blob'>,
  file: string,
  contents: Contents,
): Promise<void> => {
  await blobs.adopt(file, archive.blob)
  await describeArchive(database, archive.id, contents)
}

/** Writes the views of a group to an archive. Returns its id; nothing reads it before it is published. */
export const writeArchive = async (
  writer: ArchiveWriter,
  group: Group,
  done: StoredViews,
  until: StoredViews,
): Promise<number> => {
  const { database, duckDb, workFolder } = writer
  const archive = await beginArchive(database, { ...group, lastDay: group.day })
  const [rows, file] = [join(workFolder, `${archive.id}.csv`), join(workFolder, `${archive.id}.parquet`)]
  const dimensions = group.contents.dimensions.map((name) => [columnOf(name), 'varchar'] as const)
  const typed = [...Object.entries(columns), ...dimensions].map(
    ([name, type]) => `${quote(name.replaceAll('"', ''))}: ${quote(type)}`,
  )
  try {
    // Connections of the pool pipeline their statements, which COPY does not support.
    const connection = await openConnection(database.connection)
    try {
      await pipeline(connection.copy(copyTo(copyText(group, done, until))), createWriteStream(rows))
    } finally {
      connection.discard()
    }
    await duckDb.query(`
      copy (select * from read_csv(${quote(rows)}, header = false, columns = {${typed.join(', ')}}, nullstr = '',
        allow_quoted_nulls = false))
      to ${quote(file)} ${parquet}`)
    await store(writer, archive, file, group.contents)
  } finally {
    await Promise.all([rows, file].map((path) => rm(path, { force: true })))
  }
  return archive.id
}

/** Writes an archive again without the views that are no longer wanted. Returns the new one, or null if nothing is left. */
export const rewriteArchive = async (
  writer: ArchiveWriter,
  { files, projects, before, ...archive }: Erasure,
): Promise<number | null> => {
  const { database, blobs, duckDb, workFolder } = writer
  const next = await beginArchive(database, { ...archive, day: before ?? archive.day })
  const file = join(workFolder, `${next.id}.parquet`)
  const list = (ids: readonly number[]): string => [0, ...ids].join(', ')
  try {
    await blobs.withLocalFile(archive.blob, (path) =>
      duckDb.query(`
        copy (select * from read_parquet(${quote(path)})
          where coalesce(file_id, -1) not in (${list(files)}) and project_id not in (${list(projects)})
            and ended_at >= timestamp '${before ?? archive.day} 00:00:00')
        to ${quote(file)} ${parquet}`),
    )
    const [left] = await duckDb.query(`
      select count(*)::double as views, list(distinct project_id)::varchar as projects,
        (list(distinct file_id) filter (where file_id is not null))::varchar as files
      from read_parquet(${quote(file)})`)
    const views = Number(left?.['views'] ?? 0)
    if (views === 0) return null
    const idsIn = (text: Value | boolean | null | undefined): number[] =>
      (`${text ?? ''}`.match(/\d+/g) ?? []).map(Number)
    await store(writer, next, file, {
      views,
      dimensions: archive.dimensions,
      projectIds: idsIn(left?.['projects']),
      fileIds: idsIn(left?.['files']),
    })
  } finally {
    await rm(file, { force: true })
  }
  return next.id
}

/** Writes the archives of a month to one, in the order of projects and files. Returns its id. */
export const mergeArchives = async (writer: ArchiveWriter, month: MonthOfArchives): Promise<number> => {
  const { database, blobs, duckDb, workFolder } = writer
  const next = await beginArchive(database, month)
  const file = join(workFolder, `${next.id}.parquet`)
  const merge = async (paths: readonly string[]): Promise<void> => {
    const blob = month.blobs[paths.length]
    if (blob !== undefined) return blobs.withLocalFile(blob, (path) => merge([...paths, path]))
    await duckDb.query(`
      copy (select * from ${readAll(paths)} order by project_id, file_id, ended_at) to ${quote(file)} ${parquet}`)
  }
  try {
    await merge([])
    await store(writer, next, file, month)
  } finally {
    await rm(file, { force: true })
  }
  return next.id
}
