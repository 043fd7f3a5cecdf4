import type { Config } from '../../config/config.ts'
import { s3SettingsOf } from '../../config/s3-settings.ts'
import { finding, type Finding } from './finding.ts'

/** Returns no finding for media on disk, which has its own checks. */
export const checkStorage = async (config: Config): Promise<Finding[]> => {
  if (config.storage !== 's3' && config.formerStorage !== 's3') return []
  // Loads the SDK only for installations that use S3.
  const { checkS3 } = await import('../../../platform/blobs/s3/check-s3.ts')
  const problem = await checkS3(s3SettingsOf(config))
  return [
    problem === null
      ? finding('S3', 'ok', `bucket ${config.s3Bucket}: writes, reads, lists and deletes`)
      : finding('S3', 'failed', problem),
  ]
}
