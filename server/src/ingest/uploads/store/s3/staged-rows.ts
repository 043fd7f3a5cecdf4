import type { Sql } from '../../../../platform/db/hand-written-sql.ts'
import type { StagedBytes } from '../staging.ts'

/** State of staged bytes, as of the last change by their holder. */
export interface StagedRow {
  readonly name: string
  readonly blob: string
  readonly multipartId: string | null
  readonly partBytes: number | null
  readonly sizeBytes: number
  readonly sha256State: Buffer | null
  readonly epoch: number
}

/** A multipart part, or an object with bytes after the last part (`number` 0). */
export interface Piece {
  readonly number: number
  readonly object: string | null
  readonly start: number
  readonly size: number
  readonly etag: string
}

/**
 * Takes the lease, if no other holder has it. The clock of the database decides. Epochs begin at the current time
 * in microseconds, so that they also grow when the row is deleted and inserted again. `on conflict do update` would fail for one of
 * two first requests: it names one of the two unique indexes, and PostgreSQL reports the other.
 */
export const acquire = async (
  sql: Sql,
  { name, accountId, blob }: StagedBytes,
  { holder, leaseMs }: { readonly holder: string; readonly leaseMs: number },
): Promise<StagedRow | null> => {
  const [row] = await sql<StagedRow[]>`
    with taken as (
      update staged_uploads set epoch = epoch + 1, holder = ${holder},
        leased_until = now() + ${leaseMs} * interval '1 millisecond', is_wanted = false
      where staging_name = ${name} and (holder is null or leased_until < now()) returning *
    ), added as (
      insert into staged_uploads (staging_name, account_id, blob, epoch, holder, leased_until)
      select ${name}::uuid, ${accountId}::bigint, ${blob}::text,
        (extract(epoch from clock_timestamp()) * 1000000)::bigint, ${holder}::uuid,
        now() + ${leaseMs} * interval '1 millisecond'
      where not exists (select from taken)
      on conflict do nothing returning *
    ) select staging_name as name, blob, multipart_id as "multipartId", part_bytes as "partBytes",
      size_bytes as "sizeBytes", sha256_state as "sha256State", epoch
    from (table taken union all table added) as staged`
  return row ?? null
}

/** Asks the holder to end. */
export const askForLease = async (sql: Sql, name: string): Promise<void> => {
  await sql`update staged_uploads set is_wanted = true where staging_name = ${name} and not is_wanted`
}

export interface Renewed {
  readonly name: string
  readonly epoch: number
  readonly isWanted: boolean
}

export const renewLeases = (
  sql: Sql,
  names: readonly string[],
  { holder, leaseMs }: { readonly holder: string; readonly leaseMs: number },
): Promise<Renewed[]> => sql<Renewed[]>`
  update staged_uploads set leased_until = now() + ${leaseMs} * interval '1 millisecond'
  where holder = ${holder}
    and staging_name in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))
  returning staging_name as name, epoch, is_wanted as "isWanted"`

export const releaseLease = async (sql: Sql, name: string, epoch: number): Promise<void> => {
  await sql`
    update staged_uploads set holder = null, leased_until = null
    where staging_name = ${name} and epoch = ${epoch}`
}

/** Returns false when another holder has followed, or the row was deleted. */
export const isNewestEpoch = async (
  sql: Sql,
  { name, epoch }: Pick<StagedRow, 'name' | 'epoch'>,
): Promise<boolean> => {
  const rows = await sql`select epoch from staged_uploads where staging_name = ${name} and epoch = ${epoch}`
  return rows.length > 0
}

/** Returns a part number that no other request has used or will use; null when the lease is lost. */
export const reservePart = async (sql: Sql, name: string, epoch: number): Promise<number | null> => {
  const [row] = await sql<{ number: number }[]>`
    update staged_uploads set last_part = last_part + 1
    where staging_name = ${name} and epoch = ${epoch} returning last_part as number`
  return row?.number ?? null
}

export const setMultipart = async (
  sql: Sql,
  { name, epoch }: Pick<StagedRow, 'name' | 'epoch'>,
  multipart: { readonly id: string | null; readonly partBytes: number | null },
): Promise<boolean> => {
  const rows = await sql`
    update staged_uploads set multipart_id = ${multipart.id}, part_bytes = ${multipart.partBytes}, last_part = 0
    where staging_name = ${name} and epoch = ${epoch} returning epoch`
  return rows.length > 0
}

export interface Commit {
  readonly sizeBytes: number
  readonly sha256State: Buffer | null
  /** The objects after the last part became part of a new one. */
  readonly dropsObjects: boolean
  readonly pieces: readonly Piece[]
}

/** Acknowledges bytes. Returns false when the lease is lost; then nothing changes. */
export const commitPieces = async (
  sql: Sql,
  { name, epoch }: Pick<StagedRow, 'name' | 'epoch'>,
  { sizeBytes, sha256State, dropsObjects, pieces }: Commit,
): Promise<boolean> => {
  const rows = await sql`
    with held as (
      update staged_uploads set size_bytes = ${sizeBytes}, sha256_state = ${sha256State}, changed_at = now()
      where staging_name = ${name} and epoch = ${epoch} returning account_id, staging_name
    ), dropped as (
      delete from staged_pieces
      where staging_name = (select staging_name from held) and part_number = 0 and ${dropsObjects}
    ), added as (
      insert into staged_pieces (account_id, staging_name, start_bytes, size_bytes, etag, part_number, object)
      select account_id, staging_name, start, size, etag, number, object
      from held, jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb)
        as piece (start bigint, size bigint, etag text, number int, object text)
    ) select staging_name from held`
  return rows.length > 0
}

/** Forgets all bytes. Returns false when the lease is lost. */
export const dropPieces = async (
  sql: Sql,
  { name, epoch }: Pick<StagedRow, 'name' | 'epoch'>,
): Promise<boolean> => {
  const rows = await sql`
    with held as (
      update staged_uploads
      set size_bytes = 0, sha256_state = null, multipart_id = null, part_bytes = null, last_part = 0, changed_at = now()
      where staging_name = ${name} and epoch = ${epoch} returning staging_name
    ), dropped as (
      delete from staged_pieces where staging_name = (select staging_name from held)
    ) select staging_name from held`
  return rows.length > 0
}

export const listPieces = (sql: Sql, name: string, kind: 'parts' | 'objects'): Promise<Piece[]> => sql<
  Piece[]
>`
  select part_number as number, object, start_bytes as start, size_bytes as size, etag from staged_pieces
  where staging_name = ${name} and (part_number = 0) = ${kind === 'objects'}
  order by start_bytes`

export const findSize = async (sql: Sql, name: string): Promise<number | null> => {
  const [row] = await sql<{ sizeBytes: number }[]>`
    select size_bytes as "sizeBytes" from staged_uploads where staging_name = ${name}`
  return row?.sizeBytes ?? null
}

export interface Removed {
  readonly blob: string
  readonly multipartId: string | null
  readonly objects: readonly string[]
}

/** From now on, a writer that still runs cannot acknowledge anything. */
export const deleteStaged = async (sql: Sql, name: string): Promise<Removed | null> => {
  const [row] = await sql<Removed[]>`
    with gone as (
      delete from staged_uploads where staging_name = ${name} returning staging_name, blob, multipart_id
    ) select blob, multipart_id as "multipartId", coalesce((
        select jsonb_agg(object) from staged_pieces
        where staged_pieces.staging_name = gone.staging_name and part_number = 0
      ), '[]') as objects
    from gone`
  return row ?? null
}
