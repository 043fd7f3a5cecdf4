import { join } from 'node:path'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { S3Settings } from '../../../platform/blobs/s3/s3-client.ts'
import type { Sql } from '../../../platform/db/hand-written-sql.ts'
import { openDiskStaging } from '../store/disk-staging.ts'
import type { Stagings } from '../store/stagings.ts'

interface S3Options {
  readonly settings: S3Settings
  readonly blobs: BlobStore
  readonly sql: Sql
}

const openS3Staging = async ({ settings, blobs, sql }: S3Options): Promise<Stagings['s3']> => {
  // Only S3 installations load the SDK.
  const [{ createS3Multipart }, { createS3Staging }] = await Promise.all([
    import('../../../platform/blobs/s3/s3-multipart.ts'),
    import('../store/s3/s3-staging.ts'),
  ])
  return createS3Staging({ sql, blobs, multiparts: createS3Multipart(settings) })
}

/** For processes that receive uploads or clean up after them. `s3` is null without a bucket. */
export const openStagings = async ({
  dataFolder,
  blobs,
  s3,
  present,
}: {
  readonly dataFolder: string
  readonly blobs: BlobStore
  readonly s3: S3Options | null
  readonly present: Stagings['present']
}): Promise<Stagings> => ({
  disk: await openDiskStaging(join(dataFolder, 'uploads'), blobs),
  s3: s3 === null ? null : await openS3Staging(s3),
  present,
})
