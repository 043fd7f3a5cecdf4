import type { Config } from '../../../config.ts'
import { s3SettingsOf } from '../../s3-settings.ts'
import { finding, type Finding } from './finding.ts'

/** Nothing where media lies on the disk, which has checks of its own. */
export const checkStorage = async (config: Config): Promise<Finding[]> => {
  if (config.storage !== 's3' && config.formerStorage !== 's3') return []
  // The SDK is loaded only by those who use it.
  const { checkS3 } = await import('../../../kernel/blobs/check-s3.ts')
  const problem = await checkS3(s3SettingsOf(config))
  return [
    problem === null
      ? finding('S3', 'ok', `bucket ${config.s3Bucket}: writes, reads, lists and deletes`)
      : finding('S3', 'failed', problem),
  ]
}
