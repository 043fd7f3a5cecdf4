import { registerAnalyticsRoutes } from '../../analytics/ask/analytics-routes.ts'
import { registerBreakdownRoutes } from '../../analytics/breakdown/breakdown-routes.ts'
import { registerAlertRoutes } from '../../analytics/alerts/alert-routes.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerCatalogUsageRoutes } from '../../library/usage/catalog-usage-routes.ts'
import { registerEncodingRoutes } from '../../library/usage/encoding-routes.ts'
import { registerUsageRoutes } from '../../library/usage/usage-routes.ts'
import type { ApiServices } from '../roles/services.ts'
import type { ApiParts } from './api-parts.ts'

/** Usage, analytics and the encoding queue. */
export const registerFigures = (api: HttpServer, services: ApiServices, parts: ApiParts): void => {
  const { config, database, jobs } = services
  const { publicUrl } = config
  const { authenticate, viewEngine } = parts
  registerUsageRoutes(api, { database })
  registerCatalogUsageRoutes(api, { database })
  registerAnalyticsRoutes(api, {
    database,
    authenticate,
    smallestGroup: config.analyticsSmallestGroup,
    isCollecting: config.isAnalyticsOn,
  })
  registerBreakdownRoutes(api, {
    groupAll: viewEngine.groupAll,
    smallestGroup: config.analyticsSmallestGroup,
  })
  registerAlertRoutes(api, { database, publicUrl })
  registerEncodingRoutes(api, { database, jobs })
}
