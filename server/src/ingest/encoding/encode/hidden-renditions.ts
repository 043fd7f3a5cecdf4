import { discardBlobs } from '../../../library/files/media/garbage-list.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import {
  deleteHiddenRenditions,
  unfinishedRenditions,
  type RenditionOwner,
} from '../../renditions/rendition-store.ts'

interface Dependencies {
  readonly database: Database
  readonly blobs: BlobStore
}

/** Removes hidden renditions of killed runs. */
export const clearHiddenRenditions = async (
  dependencies: Dependencies,
  owner: RenditionOwner,
): Promise<void> => {
  const hidden = await unfinishedRenditions(dependencies.database.kysely, owner, 'encoding')
  await removeHiddenRenditions(
    dependencies,
    owner,
    hidden.map(({ id, media_blob }) => ({ id, mediaBlob: media_blob })),
  )
}

/**
 * Removes renditions that are still hidden, with their blobs. A complete one stays, because its bytes are
 * counted: another run of the job may have completed it meanwhile, or the connection was lost during the commit.
 */
export const removeHiddenRenditions = async (
  { database, blobs }: Dependencies,
  { accountId, fileId }: RenditionOwner,
  renditions: readonly { readonly id: number; readonly mediaBlob: string }[],
): Promise<void> => {
  if (renditions.length === 0) return
  const keptIds = await database.transaction(async (tx) => {
    const file = await tx
      .selectFrom('media_files')
      .select(['account_id', 'id'])
      .where('account_id', '=', accountId)
      .where('id', '=', fileId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (file === undefined) return []
    const { deleted, keptIds: kept } = await deleteHiddenRenditions(
      tx,
      renditions.map(({ id }) => id),
    )
    // The other run may still write, and this process may end before it has deleted the blobs.
    if (deleted.length > 0) await discardBlobs(tx, file, deleted)
    return kept
  })
  for (const { id, mediaBlob } of renditions)
    if (!keptIds.includes(id)) await blobs.deletePrefix(`${mediaBlob}/`)
}
