import type { Message } from '@zoetrope/vocabulary'
import { errorColumns } from '../../../library/files/record/file-error.ts'
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
  message: Message | null,
): Promise<void> => {
  const key = { accountId: upload.account_id, fileId: upload.file_id }
  await changeMediaFile(tx, publicUrl, key, (file) =>
    file.state !== 'created' || file.source_blob !== null || file.error_message === (message?.text ?? null)
      ? 'unchanged'
      : { set: errorColumns(message) },
  )
}
