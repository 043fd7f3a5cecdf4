import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { analyticsSchemas, registerAnalyticsRoutes } from '../../analytics/ask/analytics-routes.ts'
import { breakdownSchemas, registerBreakdownRoutes } from '../../analytics/breakdown/breakdown-routes.ts'
import { observeMedia } from '../../analytics/collect/observe-media.ts'
import { registerReportRoutes } from '../../analytics/collect/report-routes.ts'
import { openViewEngine } from '../../analytics/open-view-engine.ts'
import { registerHeatMapRoutes } from '../../analytics/heat-map/heat-map-routes.ts'
import { alertSchemas, registerAlertRoutes } from '../../analytics/alerts/alert-routes.ts'
import { startAnalytics } from '../../analytics/start-analytics.ts'
import { registerAuditStreamRoutes } from '../../accounts/audit/audit-stream-routes.ts'
import { registerAuditRoutes } from '../../accounts/audit/audit-routes.ts'
import { eventSchema } from '../../notifications/events/event-record.ts'
import { registerEventRoutes } from '../../notifications/events/event-routes.ts'
import { registerEventStreamRoutes } from '../../notifications/events/event-stream-routes.ts'
import { catalogSchemas, registerCatalogRoutes } from '../../library/catalog/catalog-routes.ts'
import { registerCaptionRoutes } from '../../library/captions/caption-routes.ts'
import { registerDocsRoutes } from '../../platform/docs/docs-routes.ts'
import { createInFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import { createFileReads } from '../../library/files/lists/file-reads.ts'
import { createGuardedAgent } from '../../platform/outbound/guarded-agent.ts'
import { createOutboundPolicy } from '../../platform/outbound/outbound-policy.ts'
import { fileSchema } from '../../library/files/record/file-schema.ts'
import { captionSchema } from '../../library/files/record/parts/caption-record.ts'
import { pictureSchema } from '../../library/files/record/parts/picture-record.ts'
import { registerClipRoutes } from '../../library/files/api/clip-routes.ts'
import { registerFileLifeRoutes } from '../../library/files/api/file-life-routes.ts'
import { registerFileReadRoutes } from '../../library/files/api/file-read-routes.ts'
import { registerFileRoutes } from '../../library/files/api/file-routes.ts'
import { liveSchemas, registerLiveRoutes } from '../../live/control/api/live-routes.ts'
import { passCause } from '../../platform/http/requests/pass-cause.ts'
import { protectRoutes } from '../../platform/http/requests/authenticate.ts'
import { createIdempotencyStore } from '../../platform/http/idempotency/idempotency-store.ts'
import { useIdempotencyKeys } from '../../platform/http/idempotency/idempotency-keys.ts'
import { createBudgetStore } from '../../platform/http/limits/budget-store.ts'
import { createRateLimits } from '../../platform/http/limits/rate-limits.ts'
import { createRefusals } from '../../platform/http/limits/refusals.ts'
import { addSchemas } from '../../platform/http/openapi/openapi.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { warnOfProxies } from '../../platform/http/warn-of-proxies.ts'
import { registerApiKeyRoutes } from '../../accounts/identity/keys/api-key-routes.ts'
import { createAuthenticate } from '../../accounts/identity/authentication/authenticate-request.ts'
import { identitySchemas } from '../../accounts/identity/identity-schemas.ts'
import { registerAcceptInvitationRoute } from '../../accounts/identity/invitations/accept-invitation-route.ts'
import { registerPasswordResetRoute } from '../../accounts/identity/invitations/request-password-reset.ts'
import { registerConfirmRoutes } from '../../accounts/identity/factors/confirm-routes.ts'
import { registerFactorRoutes } from '../../accounts/identity/factors/factor-routes.ts'
import { registerPasskeyRoutes } from '../../accounts/identity/factors/passkey-routes.ts'
import { registerPasskeySignInRoutes } from '../../accounts/identity/factors/passkey-sign-in-routes.ts'
import { requireFreshFactor } from '../../accounts/identity/factors/require-fresh-factor.ts'
import { registerResetFactorsRoute } from '../../accounts/identity/factors/reset-factors-route.ts'
import { registerSecondStepRoute } from '../../accounts/identity/factors/second-step-route.ts'
import { registerSignInPolicyRoutes } from '../../accounts/identity/factors/sign-in-policy-routes.ts'
import { registerTotpRoutes } from '../../accounts/identity/factors/totp-routes.ts'
import { registerInvitationRoutes } from '../../accounts/identity/invitations/invitation-routes.ts'
import { registerMeRoutes } from '../../accounts/identity/users/me-routes.ts'
import { registerPasswordRoute } from '../../accounts/identity/sessions/password-routes.ts'
import { registerSessionRoutes } from '../../accounts/identity/sessions/session-routes.ts'
import { limitSignInRequests } from '../../accounts/identity/sessions/limit-sign-in-requests.ts'
import { registerSignInRoute } from '../../accounts/identity/sessions/sign-in-routes.ts'
import { registerSignInLinkRoute } from '../../accounts/identity/sign-in-links/sign-in-link-route.ts'
import { registerUserRoutes } from '../../accounts/identity/users/user-routes.ts'
import { createTokenVerifier } from '../../accounts/identity/authentication/verify-token.ts'
import { registerPictureRoutes } from '../../library/pictures/picture-routes.ts'
import { registerLogoRoutes } from '../../library/pictures/logo/logo-routes.ts'
import { watermarkSchema } from '../../library/pictures/watermark/watermark-record.ts'
import { registerWatermarkRoutes } from '../../library/pictures/watermark/watermark-routes.ts'
import { registerKeySetRoutes } from '../../accounts/partners/api/key-set-routes.ts'
import { partnerSchemas } from '../../accounts/partners/provider/partner-schemas.ts'
import { registerPartnerRoutes } from '../../accounts/partners/api/partner-routes.ts'
import { registerEmbedRoutes } from '../../playback/pages/embed-routes.ts'
import { loadPlayerAssets } from '../../playback/pages/player-assets.ts'
import { createAccelRedirect } from '../../playback/responses/accel-redirect.ts'
import { createInFlightSources } from '../../playback/media/in-flight-sources.ts'
import { createPassthroughSources } from '../../playback/media/passthrough-sources.ts'
import { createLiveAccess } from '../../playback/live/live-access.ts'
import { nodeTokenOf } from '../../live/control/nodes/node-token.ts'
import { registerLivePlayoutRoutes } from '../../playback/live/live-playout-routes.ts'
import { createMediaMemory } from '../../playback/media/media-memory.ts'
import { registerPlaylistApiRoutes } from '../../playback/api/playlist-api-routes.ts'
import { registerPlayoutApiRoutes } from '../../playback/api/playout-api-routes.ts'
import { registerPlayoutRoutes } from '../../playback/playouts/playout-routes.ts'
import { liveOutputSchema, registerOutputApiRoutes } from '../../playback/api/output-api-routes.ts'
import { createPictureDecoder } from '../../playback/thumbnails/picture-decoder.ts'
import { createVisibleElements } from '../../playback/access/visible-elements.ts'
import { playlistSchema, playlistSummarySchema } from '../../library/playlists/playlist-record.ts'
import { registerPlaylistRoutes } from '../../library/playlists/playlist-routes.ts'
import { registerRulesPreviewRoutes } from '../../library/playlists/rules-preview-routes.ts'
import { createTouchPlaylists } from '../../library/playlists/touch-playlists.ts'
import { projectSchema } from '../../library/projects/project-record.ts'
import { registerProjectLifeRoutes } from '../../library/projects/project-life-routes.ts'
import { registerProjectRoutes } from '../../library/projects/project-routes.ts'
import { createdFileSchema, registerCreateFileRoutes } from '../../ingest/uploads/api/create-file-routes.ts'
import { registerReplaceFileRoutes } from '../../ingest/uploads/api/replace-file-routes.ts'
import { registerWorkerRoutes } from '../../ingest/encoding/remote/worker-routes.ts'
import { acceptSources } from '../../ingest/uploads/api/receive-source.ts'
import { dropAbandonedStaging } from '../../ingest/uploads/cleanup/housekeeping.ts'
import { claimStagedBytes, stagingOwnerOf } from '../../ingest/uploads/store/staging-owner.ts'
import { createUploadLocks } from '../../ingest/uploads/receive/upload-locks.ts'
import { registerTusCreationRoutes } from '../../ingest/uploads/tus/tus-creation-routes.ts'
import { checkMayOpenSignIn } from '../../accounts/sso/check-may-open-sign-in.ts'
import { registerSsoRoutes } from '../../accounts/sso/sso-routes.ts'
import { registerUploadRoutes } from '../../ingest/uploads/tus/upload-routes.ts'
import { catalogUsageSchema, registerCatalogUsageRoutes } from '../../library/usage/catalog-usage-routes.ts'
import { encodingSchema } from '../../library/usage/encoding-record.ts'
import { registerEncodingRoutes } from '../../library/usage/encoding-routes.ts'
import { projectUsageSchema, usageSchema } from '../../library/usage/usage-record.ts'
import { registerUsageRoutes } from '../../library/usage/usage-routes.ts'
import { registerWebhookRoutes } from '../../notifications/webhooks/api/webhook-routes.ts'
import { webhookSchemas } from '../../notifications/webhooks/api/webhook-schemas.ts'
import { registerConsole } from '../pages/console-page.ts'
import { registerHealthRoutes, requireMetricsToken } from '../health/health-routes.ts'
import { createInstallationRegistry } from '../health/installation-registry.ts'
import type { ReadinessCheck } from '../health/readiness.ts'
import { registerReferencePage } from '../pages/reference-page.ts'
import { forgetFirstCredentials } from '../first-start/forget-first-credentials.ts'
import { ingestAddressesOf } from '../config/ingest-addresses.ts'
import { buildSignIn } from './sign-in.ts'
import { registerSecurityText } from '../pages/security-text.ts'
import { registerPageFiles } from '../pages/page-files.ts'
import type { RunningRole } from './running-role.ts'
import { openDiskStore, type ApiServices } from './services.ts'

export const buildApi = async (
  services: ApiServices,
): Promise<{ readonly app: HttpServer; readonly readiness: ReadinessCheck }> => {
  const { config, database, blobs, jobs, mails, tokens, linkKeys, signingKeys, issuer } = services
  const { publicUrl, retentionDays } = config
  const app = await createHttpServer({
    log: services.log,
    publicUrl,
    trustedProxies: config.trustedProxies,
    limits: {
      connections: config.maxConnections,
      connectionsPerAddress: config.connectionsPerAddress,
    },
    hasAccessLog: config.hasAccessLog,
    hsts: config.hsts,
  })
  warnOfProxies(app, config.trustedProxies, services.log)
  const verifier = createTokenVerifier(database, signingKeys, issuer)
  const refusals = createRefusals(config.refusalsPerMinute)
  const uploads = {
    database,
    blobs,
    stagings: services.stagings,
    jobs,
    publicUrl,
    locks: createUploadLocks(),
    owner: await stagingOwnerOf(config.dataFolder),
    maxSizeBytes: config.uploadMaxBytes,
    expiryMs: config.uploadExpiryHours * 3_600_000,
    isPlayedWhileUploading: config.storage === 'disk',
  }
  const outbound = { allowCidrs: config.outboundAllowCidrs, isHttpAllowed: config.isOutboundHttpAllowed }
  const agent = createGuardedAgent(outbound)
  app.addHook('onClose', agent.close)
  const signIn = buildSignIn(services, { verifier, agent })
  const outboundPolicy = createOutboundPolicy(outbound)
  const pulls = { ...uploads, secrets: services.secrets.workers, outboundPolicy }
  const fileReads = createFileReads(database)
  const viewEngine = await openViewEngine(services)
  app.addHook('onClose', viewEngine.close)
  const live = {
    database,
    secrets: services.secrets,
    log: services.log,
    publicUrl,
    addresses: ingestAddressesOf(config),
    policy: outboundPolicy,
  }

  await app.register(
    async (api) => {
      const authenticate = createAuthenticate({ ...signIn, verifier, refusals })
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
      registerProjectRoutes(api, { database, publicUrl, defaultQuotaBytes: config.projectQuotaBytes })
      registerProjectLifeRoutes(api, { database, jobs, publicUrl, retentionDays })
      registerFileReadRoutes(api, fileReads)
      registerFileRoutes(api, { database, jobs, publicUrl })
      registerClipRoutes(api, { database, jobs, publicUrl })
      registerFileLifeRoutes(api, {
        database,
        blobs,
        jobs,
        publicUrl,
        retentionDays,
        uploadExpiryMs: uploads.expiryMs,
        touchPlaylists: createTouchPlaylists(publicUrl),
      })
      registerPlaylistRoutes(api, {
        database,
        publicUrl,
        retentionDays,
        maxElements: config.maxPlaylistElements,
      })
      registerRulesPreviewRoutes(api, { database, publicUrl })
      registerCatalogRoutes(api, { database, jobs, publicUrl })
      registerPlayoutApiRoutes(api, { database, tokens, linkKeys, publicUrl })
      registerPlaylistApiRoutes(api, { database, tokens, linkKeys, publicUrl })
      registerLiveRoutes(api, { ...live, readFile: fileReads.one })
      registerOutputApiRoutes(api, { ...live, tokens, linkKeys })
      registerUserRoutes(api, signIn)
      registerMeRoutes(api, signIn)
      registerSessionRoutes(api, signIn)
      registerPasswordRoute(api, signIn)
      registerFactorRoutes(api, signIn)
      registerTotpRoutes(api, signIn)
      registerPasskeyRoutes(api, signIn)
      registerConfirmRoutes(api, signIn)
      registerSignInPolicyRoutes(api, { database })
      registerResetFactorsRoute(api, signIn)
      registerInvitationRoutes(api, { database, mails, publicUrl })
      registerAuditRoutes(api, { database })
      registerAuditStreamRoutes(api, { database, authenticate })
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
      registerApiKeyRoutes(api, { database, signingKeys, issuer, verifier, publicUrl, mails })
      registerWebhookRoutes(api, {
        database,
        secrets: services.secrets.workers,
        jobs,
        publicUrl,
        isOutboundHttpAllowed: config.isOutboundHttpAllowed,
        outboundAllowCidrs: config.outboundAllowCidrs,
      })
      registerPartnerRoutes(api, {
        database,
        secrets: services.secrets,
        agent,
        publicUrl,
        checkMayOpenSignIn,
      })
      registerEventRoutes(api, { database })
      registerEventStreamRoutes(api, {
        database,
        log: services.log,
        authenticate,
        maxStreamsPerAddress: config.eventStreamsPerAddress,
      })
      await api.register(async (scope) => {
        await acceptSources(scope)
        registerCreateFileRoutes(scope, pulls)
        registerReplaceFileRoutes(scope, pulls)
      })
      await api.register(async (scope) => {
        registerTusCreationRoutes(scope, uploads)
      })
      await api.register((scope) => registerCaptionRoutes(scope, { database, blobs, publicUrl }))
      await api.register((scope) => registerPictureRoutes(scope, { database, blobs, jobs, publicUrl }))
      await api.register((scope) => registerWatermarkRoutes(scope, { database }))
      await api.register((scope) => registerLogoRoutes(scope, { database, jobs, publicUrl }))
    },
    { prefix: '/v3' },
  )
  await app.register(
    async (open) => {
      passCause(open)
      limitSignInRequests(open, signIn)
      forgetFirstCredentials(open, config.dataFolder)
      addSchemas(open, identitySchemas)
      registerSignInRoute(open, signIn)
      registerAcceptInvitationRoute(open, signIn)
      registerSignInLinkRoute(open, signIn)
      registerPasswordResetRoute(open, signIn)
      registerSecondStepRoute(open, signIn)
      registerPasskeySignInRoutes(open, signIn)
    },
    { prefix: '/v3' },
  )
  await app.register(
    async (scope) => {
      const { log } = services
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
  const visibleElements = createVisibleElements(database)
  const sources = createPassthroughSources(blobs)
  const analytics = config.isAnalyticsOn
    ? startAnalytics({
        database,
        tokens,
        publicUrl,
        isOptOutRespected: config.isAnalyticsOptOutRespected,
        isPageCollected: config.isAnalyticsPageCollected,
        countryDatabase: config.analyticsCountryDatabase,
        log: services.log,
      })
    : null
  if (analytics !== null) app.addHook('onClose', analytics.stop)
  const pictureDecoder = createPictureDecoder({ slots: config.thumbnailDecoders })
  app.addHook('onClose', pictureDecoder.close)
  await app.register(async (scope) => {
    if (analytics !== null) observeMedia(scope, analytics)
    registerPlayoutRoutes(scope, {
      database,
      blobs,
      sources,
      inFlightSources: createInFlightSources(
        createInFlightUploads(database, services.stagings.disk.path),
        sources,
        config.maxDurationSeconds,
      ),
      memory: createMediaMemory(config.mediaMemoryBytes),
      accelRedirect:
        config.accelRedirect === null
          ? null
          : createAccelRedirect(config.accelRedirect, openDiskStore(config)),
      tokens,
      publicUrl,
      visibleElements,
      pictureDecoder,
    })
  })
  const liveAccess = createLiveAccess(database, tokens)
  await app.register(async (scope) => {
    const nodeToken = nodeTokenOf(services.secrets)
    if (analytics !== null) observeMedia(scope, analytics)
    registerLivePlayoutRoutes(scope, { access: liveAccess, database, nodeToken, publicUrl })
  })
  await app.register(async (scope) => {
    const collector = analytics?.collector ?? null
    registerReportRoutes(scope, { database, tokens, liveAccess, publicUrl, collector })
  })
  await app.register(async (scope) => {
    registerHeatMapRoutes(scope, { database, tokens, publicUrl })
  })
  const player = await loadPlayerAssets()
  registerEmbedRoutes(app, { database, blobs, tokens, player, visibleElements, liveAccess, publicUrl })
  registerKeySetRoutes(app, { database })
  const installation = createInstallationRegistry(services)
  app.addHook('onClose', installation.release)
  const readiness = registerHealthRoutes(app, services, {
    ownMetrics: [installation.registry],
    checkAccess: requireMetricsToken(config.metricsToken, services.log),
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

const sweepIntervalMs = 3_600_000

export const startApi = async (services: ApiServices): Promise<RunningRole & { readonly port: number }> => {
  const { config, database, stagings, linkKeys } = services
  await claimStagedBytes(database, stagings.disk, await stagingOwnerOf(config.dataFolder))
  const { app, readiness } = await buildApi(services)
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  linkKeys.follow()
  const sweep = setInterval(() => {
    dropAbandonedStaging(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'cannot clean up staged uploads'),
    )
  }, sweepIntervalMs)
  return {
    port,
    // Serves until load balancers have noticed. Then accepts no new connections and lets running requests finish. Closes the remaining connections after the
    // grace period.
    stop: async (graceMs) => {
      readiness.stop()
      // Clients of kept-alive connections open their next one at another node.
      if (config.stopDelaySeconds > 0)
        app.server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false))
      await delay(config.stopDelaySeconds * 1000)
      clearInterval(sweep)
      linkKeys.stop()
      const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await app.close()
      clearTimeout(cut)
    },
  }
}
