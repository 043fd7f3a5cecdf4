import type { AccountTables } from './tables/accounts.ts'
import type { AnalyticsTables } from './tables/analytics.ts'
import type { AuditTables } from './tables/audit.ts'
import type { CaptionTables } from './tables/captions.ts'
import type { CatalogTables } from './tables/catalog.ts'
import type { EncodingTables } from './tables/encoding.ts'
import type { FileTables } from './tables/files.ts'
import type { LiveTables } from './tables/live.ts'
import type { MailTables } from './tables/mail.ts'
import type { PartnerTables } from './tables/partners.ts'
import type { PictureTables } from './tables/pictures.ts'
import type { PlaybackTables } from './tables/playback.ts'
import type { PlaylistTables } from './tables/playlists.ts'
import type { ProjectTables } from './tables/projects.ts'
import type { RequestTables } from './tables/requests.ts'
import type { SignInTables } from './tables/sign-in.ts'
import type { UploadTables } from './tables/uploads.ts'
import type { UsageTables } from './tables/usage.ts'
import type { WebhookTables } from './tables/webhooks.ts'

/**
 * `migrations/*.sql` define the schema; `tables/` repeats it for the type checker, with one file for each
 * module. A test compares both.
 */
export type Tables = AccountTables &
  SignInTables &
  AuditTables &
  PartnerTables &
  ProjectTables &
  FileTables &
  EncodingTables &
  PictureTables &
  CaptionTables &
  UploadTables &
  CatalogTables &
  PlaybackTables &
  PlaylistTables &
  LiveTables &
  MailTables &
  WebhookTables &
  RequestTables &
  UsageTables &
  AnalyticsTables
