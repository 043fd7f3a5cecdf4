import { Problem } from '../../platform/base/problem.ts'
import type { Tx } from '../../platform/db/database.ts'
import { externalIdDetails, externalIdTaken, lockExternalIds } from '../projects/external-id.ts'
import type { PlaylistScope } from './playlist-store.ts'

/**
 * Throws 'conflict' when another playlist of the account has the reference, and locks it until the
 * transaction ends. Playlists of a deleted project keep theirs, because restoring the project restores them.
 */
export const claimPlaylistExternalId = async (
  tx: Tx,
  { accountId, projectIds }: PlaylistScope,
  playlistId: number | null,
  externalId: string | null | undefined,
): Promise<void> => {
  if (externalId == null) return
  await lockExternalIds(tx, accountId)
  const other = await tx
    .selectFrom('playlists')
    .leftJoin('projects', 'projects.id', 'playlists.project_id')
    .select(['playlists.id', 'playlists.project_id', 'projects.deleted_at'])
    .where('playlists.account_id', '=', accountId)
    .where('playlists.external_id', '=', externalId)
    .where('playlists.deleted_at', 'is', null)
    .where('playlists.id', '!=', playlistId ?? 0)
    .executeTakeFirst()
  if (other === undefined) return
  const isVisible =
    projectIds === null || (other.project_id !== null && projectIds.includes(other.project_id))
  if (!isVisible) throw externalIdTaken(externalId, 'playlist')
  const { id: otherId, project_id: otherProject, deleted_at: deletedAt } = other
  throw deletedAt === null || otherProject === null
    ? new Problem('external_id_of_playlist', { externalId, playlistId: otherId }, externalIdDetails)
    : new Problem(
        'external_id_of_deleted_project',
        { externalId, playlistId: otherId, projectId: otherProject },
        externalIdDetails,
      )
}
