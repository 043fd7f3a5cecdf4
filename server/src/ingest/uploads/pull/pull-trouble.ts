import { changeMediaFile } from '../../../library/files/record/media-file-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UploadRow } from '../store/upload-store.ts'

/**
 * Sets the error of the last failed attempt on a file without a source; null clears it when bytes arrive. A
 * playable file keeps its record: `failPull` reports the outcome of its new source.
 */
export const showTrouble = async (
  tx: Tx,
  publicUrl: string,
  upload: UploadRow,
  message: string | null,
): Promise<void> => {
  const key = { accountId: upload.account_id, fileId: upload.file_id }
  await changeMediaFile(tx, publicUrl, key, (file) =>
    file.state !== 'created' || file.source_blob !== null || file.error_message === message
      ? 'unchanged'
      : { set: { error_message: message } },
  )
}
