import type { MovePlaylists } from '../files/jobs/project-files-handler.ts'
import { writePlaylistChange } from './playlist-store.ts'

/** Creates a function that sends the events of playlists when their project was deleted or restored. */
export const createMovePlaylists =
  (publicUrl: string): MovePlaylists =>
  async (tx, project, limit) => {
    const isDeleted = project.deleted_at !== null
    const playlists = await tx
      .selectFrom('playlists')
      .selectAll()
      .where('account_id', '=', project.account_id)
      .where('project_id', '=', project.id)
      .where('deleted_at', 'is', null)
      .where('is_deleted_with_project', '=', !isDeleted)
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .execute()
    const change = { is_deleted_with_project: isDeleted }
    for (const playlist of playlists)
      await (isDeleted
        ? writePlaylistChange(tx, publicUrl, playlist, change, 'playlist.deleted')
        : writePlaylistChange(tx, publicUrl, playlist, change, 'playlist.updated', 'playlist.restored'))
    return playlists.length
  }
