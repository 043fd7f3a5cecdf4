import { registerDocsRoutes } from '../../platform/docs/docs-routes.ts'
import { protectRoutes } from '../../platform/http/requests/authenticate.ts'
import { createIdempotencyStore } from '../../platform/http/idempotency/idempotency-store.ts'
import { useIdempotencyKeys } from '../../platform/http/idempotency/idempotency-keys.ts'
import { createBudgetStore } from '../../platform/http/limits/budget-store.ts'
import { createRateLimits } from '../../platform/http/limits/rate-limits.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { warnOfProxies } from '../../platform/http/warn-of-proxies.ts'
import { requireFreshFactor } from '../../accounts/identity/factors/require-fresh-factor.ts'
import { registerKeySetRoutes } from '../../accounts/partners/api/key-set-routes.ts'
import { registerWorkerRoutes } from '../../ingest/encoding/remote/worker-routes.ts'
import { registerSsoRoutes } from '../../accounts/sso/sso-routes.ts'
import { registerUploadRoutes } from '../../ingest/uploads/tus/upload-routes.ts'
import { registerConsole } from '../pages/console-page.ts'
import { registerHealthRoutes, requireMetricsToken } from '../health/health-routes.ts'
import { createInstallationRegistry } from '../health/installation-registry.ts'
import type { ReadinessCheck } from '../health/readiness.ts'
import { registerReferencePage } from '../pages/reference-page.ts'
import { registerSecurityText } from '../pages/security-text.ts'
import { registerPageFiles } from '../pages/page-files.ts'
import type { ApiServices } from '../roles/services.ts'
import { type ApiParts, createApiParts } from './api-parts.ts'
import { addApiSchemas } from './api-schemas.ts'
import { registerLibrary } from './library-routes.ts'
import { registerPlaybackApi } from './playback-routes.ts'
import { registerIdentity, registerOpenSignIn } from './identity-routes.ts'
import { registerFigures } from './analytics-routes.ts'
import { registerIntegrations } from './integration-routes.ts'
import { registerUploads } from './upload-routes.ts'
import { registerViewerRoutes } from './viewer-routes.ts'

/** Authenticates and limits requests to all routes of the scope. */
const guardApi = (api: HttpServer, services: ApiServices, { authenticate }: ApiParts): void => {
  const { config, database } = services
  const limitRate = createRateLimits({
    take: createBudgetStore(database),
    limits: {
      reads: config.readsPerMinute,
      writes: config.writesPerMinute,
      signatures: config.signaturesPerMinute,
    },
  })
  protectRoutes(api, authenticate, limitRate)
  requireFreshFactor(api, database)
  useIdempotencyKeys(api, {
    database,
    log: services.log,
    store: createIdempotencyStore(database, {
      secrets: services.secrets,
      memoryMs: config.idempotencyHours * 3_600_000,
    }),
  })
}

export const buildApi = async (
  services: ApiServices,
): Promise<{ readonly app: HttpServer; readonly readiness: ReadinessCheck }> => {
  const { config, database, blobs, jobs, log } = services
  const { publicUrl } = config
  const app = await createHttpServer({
    log,
    publicUrl,
    trustedProxies: config.trustedProxies,
    limits: {
      connections: config.maxConnections,
      connectionsPerAddress: config.connectionsPerAddress,
    },
    hasAccessLog: config.hasAccessLog,
    hsts: config.hsts,
  })
  warnOfProxies(app, config.trustedProxies, log)
  const parts = await createApiParts(services)
  const { uploads, refusals, signIn, agent, viewEngine } = parts
  app.addHook('onClose', agent.close)
  app.addHook('onClose', viewEngine.close)
  await app.register(
    async (api) => {
      guardApi(api, services, parts)
      addApiSchemas(api)
      registerLibrary(api, services, parts)
      registerPlaybackApi(api, services, parts)
      registerIdentity(api, services, parts)
      registerFigures(api, services, parts)
      registerIntegrations(api, services, parts)
      await registerUploads(api, services, parts)
    },
    { prefix: '/v3' },
  )
  await app.register(async (open) => registerOpenSignIn(open, services, parts), { prefix: '/v3' })
  await app.register(
    async (scope) => {
      registerWorkerRoutes(scope, { database, blobs, jobs, publicUrl, log, refusals })
    },
    { prefix: '/v3/worker' },
  )
  await app.register(async (scope) => {
    registerSsoRoutes(scope, { ...signIn, secrets: services.secrets, agent })
  })
  await app.register(async (scope) => {
    registerUploadRoutes(scope, uploads)
  })
  await registerViewerRoutes(app, services, parts.passthroughSources)
  registerKeySetRoutes(app, { database })
  const installation = createInstallationRegistry(services)
  app.addHook('onClose', installation.release)
  const readiness = registerHealthRoutes(app, services, {
    ownMetrics: [installation.registry],
    checkAccess: requireMetricsToken(config.metricsToken, log),
  })
  registerReferencePage(app)
  registerSecurityText(app, {
    publicUrl,
    contacts: config.securityContacts,
    expiresAt: config.securityExpiresAt,
  })
  registerDocsRoutes(app, { publicUrl, editUrl: config.docsEditUrl })
  registerPageFiles(app)
  await registerConsole(app, publicUrl)
  await app.ready()
  return { app, readiness }
}
