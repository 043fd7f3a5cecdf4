import { alertSchemas } from '../../analytics/alerts/alert-routes.ts'
import { analyticsSchemas } from '../../analytics/ask/analytics-routes.ts'
import { breakdownSchemas } from '../../analytics/breakdown/breakdown-routes.ts'
import { partnerSchemas } from '../../accounts/partners/provider/partner-schemas.ts'
import { liveSchemas } from '../../live/control/api/live-routes.ts'
import { webhookSchemas } from '../../notifications/webhooks/api/webhook-schemas.ts'
import { eventSchema } from '../../notifications/events/event-record.ts'
import { catalogSchemas } from '../../library/catalog/catalog-routes.ts'
import { fileSchema } from '../../library/files/record/file-schema.ts'
import { captionSchema } from '../../library/files/record/parts/caption-record.ts'
import { pictureSchema } from '../../library/files/record/parts/picture-record.ts'
import { addSchemas } from '../../platform/http/openapi/openapi.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { identitySchemas } from '../../accounts/identity/identity-schemas.ts'
import { watermarkSchema } from '../../library/pictures/watermark/watermark-record.ts'
import { liveOutputSchema } from '../../playback/api/output-api-routes.ts'
import { playlistSchema, playlistSummarySchema } from '../../library/playlists/playlist-record.ts'
import { projectSchema } from '../../library/projects/project-record.ts'
import { createdFileSchema } from '../../ingest/uploads/api/create-file-routes.ts'
import { catalogUsageSchema } from '../../library/usage/catalog-usage-routes.ts'
import { encodingSchema } from '../../library/usage/encoding-record.ts'
import { projectUsageSchema, usageSchema } from '../../library/usage/usage-record.ts'

export const addApiSchemas = (api: HttpServer): void => {
  addSchemas(api, { Project: projectSchema, File: fileSchema, CreatedFile: createdFileSchema })
  addSchemas(api, { Caption: captionSchema, Picture: pictureSchema, Watermark: watermarkSchema })
  addSchemas(api, catalogSchemas)
  addSchemas(api, { Playlist: playlistSchema, PlaylistSummary: playlistSummarySchema })
  addSchemas(api, { ...liveSchemas, LiveOutput: liveOutputSchema })
  addSchemas(api, { Event: eventSchema, ...webhookSchemas, ...partnerSchemas })
  addSchemas(api, { Usage: usageSchema, ProjectUsage: projectUsageSchema, Encoding: encodingSchema })
  addSchemas(api, { CatalogUsage: catalogUsageSchema })
  addSchemas(api, { ...analyticsSchemas, ...breakdownSchemas, ...alertSchemas })
  addSchemas(api, identitySchemas)
}
