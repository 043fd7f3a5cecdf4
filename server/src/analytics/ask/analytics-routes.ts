import type { HttpServer } from '../../platform/http/http-server.ts'
import type { Authenticate } from '../../platform/http/requests/authenticate.ts'
import type { Database } from '../../platform/db/database.ts'
import { registerExportRoutes } from './export-routes.ts'
import { registerFileAnalyticsRoutes } from './file-analytics-routes.ts'
import { fileAnalyticsSchema, heatmapSchema, hotspotsSchema, retentionSchema } from './file-schemas.ts'
import { analyticsSchema, registerMetricRoutes } from './metric-routes.ts'
import { realtimeSchema, registerRealtimeRoutes } from './realtime-routes.ts'
import { registerSessionAnalyticsRoutes } from './session-routes.ts'
import { viewSchema } from './view-record.ts'

export const analyticsSchemas = {
  Analytics: analyticsSchema,
  RealtimeAnalytics: realtimeSchema,
  View: viewSchema,
  FileAnalytics: fileAnalyticsSchema,
  FileRetention: retentionSchema,
  FileHeatmap: heatmapSchema,
  FileHotspots: hotspotsSchema,
}

export const registerAnalyticsRoutes = (
  app: HttpServer,
  dependencies: {
    readonly database: Database
    readonly authenticate: Authenticate
    readonly smallestGroup: number
  },
): void => {
  registerRealtimeRoutes(app, dependencies)
  registerExportRoutes(app, dependencies)
  registerSessionAnalyticsRoutes(app, dependencies)
  registerMetricRoutes(app, dependencies)
  registerFileAnalyticsRoutes(app, dependencies)
}
