import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerExportRoutes } from './export-routes.ts'
import type { AnalyticsDependencies } from './analytics-dependencies.ts'
import { registerFileAnalyticsRoutes } from './file-analytics-routes.ts'
import { fileAnalyticsSchema, heatmapSchema, hotspotsSchema, retentionSchema } from './file-schemas.ts'
import { analyticsSchema, registerMetricRoutes } from './metric-routes.ts'
import { realtimeSchema, registerRealtimeRoutes } from './realtime-routes.ts'
import { registerSessionAnalyticsRoutes } from './session-routes.ts'
import { viewSchema } from '../sessions/view-record.ts'

export const analyticsSchemas = {
  Analytics: analyticsSchema,
  RealtimeAnalytics: realtimeSchema,
  View: viewSchema,
  FileAnalytics: fileAnalyticsSchema,
  FileRetention: retentionSchema,
  FileHeatmap: heatmapSchema,
  FileHotspots: hotspotsSchema,
}

export const registerAnalyticsRoutes = (app: HttpServer, dependencies: AnalyticsDependencies): void => {
  registerRealtimeRoutes(app, dependencies)
  registerExportRoutes(app, dependencies)
  registerSessionAnalyticsRoutes(app, dependencies)
  registerMetricRoutes(app, dependencies)
  registerFileAnalyticsRoutes(app, dependencies)
}
