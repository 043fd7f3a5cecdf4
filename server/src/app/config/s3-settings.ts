import type { Config } from './config.ts'
import type { S3Settings } from '../../platform/blobs/s3/s3-client.ts'

export const s3SettingsOf = (config: Config): S3Settings => ({
  bucket: config.s3Bucket,
  ...(config.s3Endpoint === null ? {} : { endpoint: config.s3Endpoint, forcePathStyle: true }),
  region: config.s3Region,
  accessKeyId: config.s3AccessKeyId,
  secretAccessKey: config.s3SecretAccessKey,
})
