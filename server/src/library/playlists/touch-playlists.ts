import { sql } from 'kysely'
import type { TouchPlaylists } from '../files/change/touch-playlists.ts'
import { writePlaylistChange } from './playlist-store.ts'

/**
 * Creates a function that writes a new version and `playlist.updated` for each manual playlist that contains
 * one of the files.
 */
export const createTouchPlaylists =
  (publicUrl: string): TouchPlaylists =>
  async (tx, accountId, fileIds) => {
    if (fileIds.length === 0) return
    const playlists = await tx
      .selectFrom('playlists')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`element_file_ids && ${[...fileIds]}::bigint[]`)
      .where(
        sql<boolean>`(project_id is null or exists (
          select from projects p where p.account_id = playlists.account_id and p.id = playlists.project_id and p.deleted_at is null))`,
      )
      // A fixed order, so that concurrent deletions cannot deadlock.
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    for (const playlist of playlists)
      await writePlaylistChange(tx, publicUrl, playlist, {}, 'playlist.updated')
  }
