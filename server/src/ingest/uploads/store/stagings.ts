import { Problem } from '../../../platform/base/problem.ts'
import type { DiskStaging } from './disk-staging.ts'
import type { Staging } from './staging.ts'

/** `staged_on` of uploads whose bytes are in the bucket; others name a disk. */
export const stagedOnS3 = 's3'

/** Folder of the bucket with bytes that are not part of a blob yet. */
export const stagedFolder = 'uploads/'

/** Where bytes of uploads are. Uploads that began before a change of the setting stay where they are. */
export interface Stagings {
  readonly disk: DiskStaging
  /** Null without an S3 bucket. */
  readonly s3: Staging | null
  /** Takes the first bytes of new uploads. */
  readonly present: 'disk' | 's3'
}

/** The staging of an upload by its `staged_on`, which is null before its first byte. */
export const stagingOf = ({ disk, s3, present }: Stagings, stagedOn: string | null): Staging => {
  if (stagedOn !== stagedOnS3 && !(stagedOn === null && present === 's3')) return disk
  if (s3 === null)
    throw new Problem(
      'upload_on_other_node',
      {},
      {
        headers: { 'Retry-After': '5' },
        cause: new Error('the bytes of this upload are in an S3 bucket, which this node does not know'),
      },
    )
  return s3
}

/** Whether requests on several nodes may work on these bytes at once. Without bytes, readers need no lease. */
export const isLeased = (
  { present }: Pick<Stagings, 'present'>,
  stagedOn: string | null,
  isWriting: boolean,
): boolean => stagedOn === stagedOnS3 || (stagedOn === null && isWriting && present === 's3')
