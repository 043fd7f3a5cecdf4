import type { EventName } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import type { Page } from '../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { isUnchanged } from '../../platform/db/is-unchanged.ts'
import { readPage, type PageOf, type SortColumn } from '../../platform/db/keyset.ts'
import type { ReleaseStatus } from '../../platform/db/tables/projects.ts'
import { emit } from '../../platform/outbox/outbox.ts'
import { Problem } from '../../platform/base/problem.ts'
import { readTotals } from './playlist-elements.ts'
import { playlistSummary } from './playlist-record.ts'
import type { PlaylistRow } from './playlist-row.ts'

/**
 * Account and projects whose playlists are visible; null = all projects. An API key of some projects does not
 * see playlists that may contain files of others.
 */
export interface PlaylistScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

export const playlistNotFound = (playlistId: number): Problem =>
  new Problem('playlist_not_found', { playlistId })

/** Includes deleted playlists, but not those of a deleted project, which are restored with it. */
const ofScope = (queryable: Queryable, { accountId, projectIds }: PlaylistScope) =>
  queryable
    .selectFrom('playlists')
    .where('account_id', '=', accountId)
    .where(
      sql<boolean>`(project_id is null or exists (
        select from projects p where p.account_id = playlists.account_id and p.id = playlists.project_id and p.deleted_at is null))`,
    )
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))

/** Throws 'not_found' when the playlist is deleted or outside the scope. */
export const findPlaylist = async (
  queryable: Queryable,
  scope: PlaylistScope,
  playlistId: number,
): Promise<PlaylistRow> => {
  const row = await ofScope(queryable, scope)
    .selectAll()
    .where('id', '=', playlistId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw playlistNotFound(playlistId)
  return row
}

/**
 * Like `findPlaylist`, with the row locked until the transaction ends. `isDeleted` also accepts a deleted
 * one, to restore it.
 */
export const lockPlaylist = async (
  tx: Tx,
  scope: PlaylistScope,
  playlistId: number,
  { isDeleted = false }: { readonly isDeleted?: boolean } = {},
): Promise<PlaylistRow> => {
  const row = await ofScope(tx, scope)
    .selectAll()
    .where('id', '=', playlistId)
    .$if(!isDeleted, (query) => query.where('deleted_at', 'is', null))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw playlistNotFound(playlistId)
  return row
}

const byName: SortColumn = { expression: sql`fold_text(name) collate "C"`, type: 'text' }

export const playlistOrders: Record<string, SortColumn> = {
  created: null,
  updated: { expression: sql`updated_at`, type: 'timestamptz' },
  name: byName,
  title: byName,
}

export interface PlaylistFilter {
  readonly searchWords: readonly string[]
  readonly types: readonly PlaylistRow['type'][] | null
  readonly projectIds: readonly number[] | null
  readonly releaseStatuses: readonly ReleaseStatus[] | null
  readonly externalIds: readonly string[] | null
  readonly includeDeleted: boolean
}

export const listPlaylists = async (
  queryable: Queryable,
  scope: PlaylistScope,
  filter: PlaylistFilter,
  page: Page,
): Promise<PageOf<PlaylistRow> & { totalCount: number }> => {
  const { searchWords, types, projectIds, releaseStatuses, externalIds } = filter
  const matching = searchWords.reduce(
    (query, word) =>
      query.where(
        sql<boolean>`position(fold_text(${word}::text) in fold_text(name || ' ' || description)) > 0`,
      ),
    ofScope(queryable, scope)
      .$if(!filter.includeDeleted, (query) => query.where('deleted_at', 'is', null))
      .$if(types !== null, (query) => query.where('type', 'in', [...(types ?? [])]))
      .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? [])]))
      .$if(externalIds !== null, (query) => query.where('external_id', 'in', [...(externalIds ?? [])]))
      .$if(releaseStatuses !== null, (query) =>
        query.where('release_status', 'in', [...(releaseStatuses ?? [])]),
      ),
  )
  const found = await readPage(matching.selectAll(), page, playlistOrders[page.orderBy] ?? null)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

export interface PlaylistChange {
  readonly external_id?: string | null
  readonly name?: string
  readonly description?: string
  readonly project_id?: number | null
  readonly release_status?: ReleaseStatus
  readonly element_file_ids?: number[]
  readonly rules?: string
  readonly deleted_at?: Date | null
  readonly purge_at?: Date | null
  readonly is_deleted_with_project?: boolean
}

export const insertPlaylist = async (
  tx: Tx,
  publicUrl: string,
  accountId: number,
  playlist: PlaylistChange & Pick<PlaylistRow, 'name' | 'type' | 'release_status'>,
): Promise<PlaylistRow> => {
  const row = await tx
    .insertInto('playlists')
    .values({ ...playlist, account_id: accountId, event_sequence: 1 })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitPlaylistEvent(tx, publicUrl, row, 'playlist.new', row.event_sequence)
  return row
}

/**
 * Changes a playlist and writes its events in the caller's transaction, which holds the row lock. All changes
 * go through this function; one without effect writes nothing.
 */
export const changePlaylist = async (
  tx: Tx,
  publicUrl: string,
  playlist: PlaylistRow,
  change: PlaylistChange,
  ...events: readonly EventName[]
): Promise<PlaylistRow> => {
  if (isUnchanged(playlist, change)) return playlist
  return writePlaylistChange(tx, publicUrl, playlist, change, ...events)
}

/** Writes a new version even when the row itself is unchanged, for changes of its elements. */
export const writePlaylistChange = async (
  tx: Tx,
  publicUrl: string,
  playlist: PlaylistRow,
  change: PlaylistChange,
  ...events: readonly EventName[]
): Promise<PlaylistRow> => {
  const row = await tx
    .updateTable('playlists')
    .set((set) => ({
      ...change,
      updated_at: new Date(),
      version: set('version', '+', 1),
      event_sequence: set('event_sequence', '+', events.length),
    }))
    .where('account_id', '=', playlist.account_id)
    .where('id', '=', playlist.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const [index, name] of events.entries())
    await emitPlaylistEvent(tx, publicUrl, row, name, playlist.event_sequence + index + 1)
  return row
}

/** Emits the record without elements, because a webhook limits its size. */
const emitPlaylistEvent = async (
  tx: Tx,
  publicUrl: string,
  row: PlaylistRow,
  name: EventName,
  sequence: number,
): Promise<void> => {
  const shown = row.is_deleted_with_project ? { ...row, ...(await deletionOfProject(tx, row)) } : row
  await emit(tx, {
    accountId: row.account_id,
    projectId: row.project_id,
    fileId: null,
    name,
    sequence,
    subject: 'Playlist',
    record: JSON.stringify(playlistSummary(shown, await readTotals(tx, row), publicUrl)),
  })
}

const deletionOfProject = async (tx: Tx, { project_id: projectId }: PlaylistRow) =>
  tx.selectFrom('projects').select(['deleted_at', 'purge_at']).where('id', '=', projectId).executeTakeFirst()
