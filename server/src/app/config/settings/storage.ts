import { httpUrl, locationPath, oneOf, setting, text } from './setting.ts'

export const storageSettings = {
  storage: setting(
    'ZOETROPE_STORAGE',
    'disk',
    oneOf(['disk', 's3'] as const),
    'Storage of media: disk or s3.',
  ),
  formerStorage: setting(
    'ZOETROPE_FORMER_STORAGE',
    'none',
    oneOf(['none', 'disk', 's3'] as const),
    'Storage of media before you changed ZOETROPE_STORAGE: disk or s3. Zoetrope also reads media from there, and workers move it (docs/delivery.md).',
  ),
  s3Bucket: setting('S3_BUCKET', '', text, 'Bucket for media on S3.'),
  s3Endpoint: setting('S3_ENDPOINT', '', httpUrl, 'Endpoint of an S3-compatible store; empty for Amazon S3.'),
  s3Region: setting('S3_REGION', 'us-east-1', text, 'Region of the bucket.'),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', '', text, 'Access key of the bucket.'),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', '', text, 'Secret of that access key.', true),
} as const

export const deliverySettings = {
  accelRedirect: setting(
    'ZOETROPE_ACCEL_REDIRECT',
    '',
    locationPath,
    'Internal location of the nginx in front of Zoetrope, such as /internal/media, from which nginx serves segments (docs/delivery.md). Only for media on disk. Default: none.',
  ),
} as const
