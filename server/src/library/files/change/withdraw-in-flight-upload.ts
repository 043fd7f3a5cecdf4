import type { Tx } from '../../../platform/db/database.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { changeMediaFile } from '../record/media-file-store.ts'

/**
 * Stops early playback of an upload: no worker checks whether its received bytes are playable until it is
 * complete.
 */
export const stopEarlyChecks = async (tx: Tx, stagingName: string): Promise<void> => {
  await tx
    .updateTable('uploads')
    .set({ look_at_bytes: null })
    .where('staging_name', '=', stagingName)
    .execute()
}

/**
 * Withdraws the renditions that played during an upload: the bytes were not valid, start over, or will not
 * arrive. The caller holds the locks of the project and of the file.
 */
export const withdrawInFlightUpload = async (
  tx: Tx,
  publicUrl: string,
  file: MediaFileRow,
): Promise<MediaFileRow> => {
  if (file.arriving_upload === null) return file
  await stopEarlyChecks(tx, file.arriving_upload)
  await tx
    .deleteFrom('renditions')
    .where('file_id', '=', file.id)
    .where('generation', '=', file.generation)
    .where('delivery', '=', 'in_place')
    .where('state', '=', 'growing')
    .execute()
  return changeMediaFile(tx, publicUrl, { accountId: file.account_id, fileId: file.id }, () => ({
    set: { arriving_upload: null, state: 'created', playable_at: null },
    events: ['file.updated'],
  }))
}
