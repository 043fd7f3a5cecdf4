import { enqueuePull } from '../../../library/files/queue/file-pulls.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { invalidField, invalidValue, Problem } from '../../../platform/base/problem.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import { checksumOf, openUpload, type AnnouncedSource, type UploadTarget } from '../receive/open-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'
import { parseSourceUri } from './source-uri.ts'

export interface OpenPullDependencies extends ReceiveDependencies {
  readonly outboundPolicy: OutboundPolicy
  readonly secrets: Sealer<'workers'>
}

/**
 * Creates an upload whose bytes a worker fetches. Writes the record, the upload and the job in one
 * transaction.
 */
export const openPull = async (
  dependencies: OpenPullDependencies,
  target: UploadTarget,
  body: AnnouncedSource & { readonly SourceURI: string },
): Promise<MediaFileRow> => {
  const { outboundPolicy, secrets, jobs, maxSizeBytes } = dependencies
  const uri = parseSourceUri(body.SourceURI)
  const issue = outboundPolicy.urlIssue(uri?.url ?? body.SourceURI)
  if (issue !== null) throw invalidValue('SourceURI', issue)
  if (uri === null) throw invalidField('SourceURI', 'not_absolute_url')
  if (body.FileSize !== undefined && body.FileSize > maxSizeBytes)
    throw new Problem('upload_too_large', { maxBytes: maxSizeBytes })
  const { file } = await openUpload(dependencies, target, {
    fileName: body.FileName ?? uri.fileName ?? 'untitled',
    checksum: checksumOf(body),
    sourceUri: uri.shown,
    sizeBytes: body.FileSize ?? null,
    onOpened: async (tx, { file: opened, upload }) => {
      const { id, attempt } = await tx
        .insertInto('pulls')
        .values({
          account_id: opened.account_id,
          file_id: opened.id,
          upload_token_hash: upload.token_hash,
          sealed_uri: secrets.seal(Buffer.from(body.SourceURI)),
          expected_bytes: body.FileSize ?? null,
          is_named: body.FileName !== undefined,
        })
        .returning(['id', 'attempt'])
        .executeTakeFirstOrThrow()
      await enqueuePull(tx, jobs, opened, { pullId: id, attempt })
    },
  })
  return file
}
