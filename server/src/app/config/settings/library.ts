import { decimal, integer, oneOf, setting } from './setting.ts'

const GB = 1_000_000_000

export const librarySettings = {
  uploadMaxBytes: setting(
    'ZOETROPE_UPLOAD_MAX_BYTES',
    String(50 * GB),
    integer(1, Number.MAX_SAFE_INTEGER),
    'Largest upload in bytes.',
  ),
  uploadStagingSetting: setting(
    'ZOETROPE_UPLOAD_STAGING',
    'auto',
    oneOf(['auto', 'disk', 's3'] as const),
    'Where the bytes of unfinished uploads are. s3: in the bucket, so that every api node can continue every upload; disk: on the api node that received the first byte. auto: s3 with ZOETROPE_STORAGE=s3, otherwise disk (docs/operations.md).',
  ),
  uploadExpiryHours: setting(
    'ZOETROPE_UPLOAD_EXPIRY_HOURS',
    '24',
    decimal(0.001, 8_760),
    'How long an unfinished upload is kept after its last byte.',
  ),
  projectQuotaBytes: setting(
    'ZOETROPE_PROJECT_QUOTA_BYTES',
    '0',
    integer(0, Number.MAX_SAFE_INTEGER),
    'StorageQuotaBytes of a new project whose request does not name it. 0 = no quota.',
  ),
  maxDurationSeconds: setting(
    'ZOETROPE_MAX_DURATION_SECONDS',
    '43200',
    integer(1, 864_000),
    'Longest source that Zoetrope processes, in seconds.',
  ),
  retentionDays: setting(
    'ZOETROPE_RETENTION_DAYS',
    '7',
    decimal(0, 3_650),
    'How long deleted records can be restored. Then their media is deleted. 0 = at once. A change applies to later deletions.',
  ),
  maxPlaylistElements: setting(
    'ZOETROPE_PLAYLIST_MAX_ELEMENTS',
    '1000',
    integer(1, 1_000),
    'Largest number of files in a playlist.',
  ),
  eventRetentionDays: setting(
    'ZOETROPE_EVENT_RETENTION_DAYS',
    '30',
    decimal(1, 3_650),
    'How long events and webhook deliveries are kept.',
  ),
  maxWebhooksPerAccount: setting(
    'ZOETROPE_WEBHOOKS_PER_ACCOUNT',
    '1000',
    integer(0, 1_000_000),
    'Largest number of webhooks of one account. Existing webhooks above it stay. 0 = no limit.',
  ),
} as const
