import { deleteFile } from '../../../library/files/change/delete-file.ts'
import type { MetadataWrite } from '../../../library/files/record/file-metadata.ts'
import { insertMediaFile } from '../../../library/files/record/media-file-store.ts'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { UploadTarget } from '../receive/open-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'

export interface NewFileInput {
  readonly externalId: string | null
  readonly metadata: MetadataWrite
  readonly useEncoding?: boolean | undefined
  readonly encodingPriority?: number | undefined
}

export const newFileTarget = (
  { publicUrl, jobs }: ReceiveDependencies,
  principal: Principal,
  projectId: number,
  { externalId, metadata, useEncoding, encodingPriority }: NewFileInput,
): UploadTarget => ({
  principal,
  projectId,
  isNewSource: false,
  open: (tx, project, { fileName, checksum, sourceUri }) =>
    insertMediaFile(tx, publicUrl, project, {
      principal,
      originalFileName: fileName ?? 'upload',
      externalId,
      checksum,
      sourceUri,
      metadata,
      useEncoding,
      encodingPriority,
    }),
  giveUp: async (tx, file) => {
    await deleteFile(
      tx,
      { publicUrl, jobs, retentionDays: 0, touchPlaylists: null },
      { accountId: file.account_id, fileId: file.id },
    )
  },
})
