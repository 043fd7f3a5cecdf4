import type { AddressInfo } from 'node:net'
import { registerAuditRoutes } from '../audit/audit-routes.ts'
import { eventSchema } from '../events/event-record.ts'
import { registerEventRoutes } from '../events/event-routes.ts'
import { registerEventStreamRoutes } from '../events/event-stream-routes.ts'
import { catalogSchemas, registerCatalogRoutes } from '../catalog/catalog-routes.ts'
import { registerCaptionRoutes } from '../captions/caption-routes.ts'
import { registerDocsRoutes } from '../docs/docs-routes.ts'
import { createArrivingFiles } from '../files/arriving-files.ts'
import { createFileReads } from '../files/file-reads.ts'
import { createGuardedAgent } from '../kernel/outbound/guarded-agent.ts'
import { createOutboundPolicy } from '../kernel/outbound/outbound-policy.ts'
import { captionSchema, fileSchema, pictureSchema } from '../files/file-record.ts'
import { registerClipRoutes } from '../files/clip-routes.ts'
import { registerFileLifeRoutes } from '../files/file-life-routes.ts'
import { registerFileReadRoutes } from '../files/file-read-routes.ts'
import { registerFileRoutes } from '../files/file-routes.ts'
import { liveSchemas, registerLiveRoutes } from '../live/live-routes.ts'
import { protectRoutes } from '../http/authenticate.ts'
import { createIdempotencyStore } from '../http/idempotency/idempotency-store.ts'
import { useIdempotencyKeys } from '../http/idempotency/idempotency-keys.ts'
import { createBudgetStore } from '../http/limits/budget-store.ts'
import { createRateLimits } from '../http/limits/rate-limits.ts'
import { createRefusals } from '../http/limits/refusals.ts'
import { addSchemas } from '../http/openapi.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import { warnOfProxies } from '../http/warn-of-proxies.ts'
import { registerApiKeyRoutes } from '../identity/api-key-routes.ts'
import { createAuthenticate } from '../identity/authenticate-request.ts'
import { identitySchemas } from '../identity/identity-schemas.ts'
import { registerAcceptInvitationRoute } from '../identity/invitations/accept-invitation-route.ts'
import { registerInvitationRoutes } from '../identity/invitations/invitation-routes.ts'
import { registerMeRoutes } from '../identity/me-routes.ts'
import { registerPasswordRoute } from '../identity/sessions/password-routes.ts'
import { registerSessionRoutes } from '../identity/sessions/session-routes.ts'
import { registerSignInRoute } from '../identity/sessions/sign-in-routes.ts'
import { registerSignInLinkRoute } from '../identity/sign-in-links/sign-in-link-route.ts'
import { registerUserRoutes } from '../identity/user-routes.ts'
import { createTokenVerifier } from '../identity/verify-token.ts'
import { registerPictureRoutes } from '../pictures/picture-routes.ts'
import { registerLogoRoutes } from '../pictures/logo-routes.ts'
import { watermarkSchema } from '../pictures/watermark-record.ts'
import { registerWatermarkRoutes } from '../pictures/watermark-routes.ts'
import { registerKeySetRoutes } from '../partners/key-set-routes.ts'
import { partnerSchemas } from '../partners/partner-schemas.ts'
import { registerPartnerRoutes } from '../partners/partner-routes.ts'
import { registerEmbedRoutes } from '../playout/embed-routes.ts'
import { loadPlayerAssets } from '../playout/player-assets.ts'
import { createAccelRedirect } from '../playout/accel-redirect.ts'
import { createArrivingSources } from '../playout/arriving-sources.ts'
import { createInPlaceSources } from '../playout/in-place-sources.ts'
import { createLiveAccess } from '../playout/live-access.ts'
import { nodeTokenOf } from '../live/node-token.ts'
import { registerLivePlayoutRoutes } from '../playout/live-playout-routes.ts'
import { createMediaMemory } from '../playout/media-memory.ts'
import { registerPlaylistApiRoutes } from '../playout/playlist-api-routes.ts'
import { registerPlayoutApiRoutes } from '../playout/playout-api-routes.ts'
import { registerPlayoutRoutes } from '../playout/playout-routes.ts'
import { liveOutputSchema, registerOutputApiRoutes } from '../playout/output-api-routes.ts'
import { createPictureDecoder } from '../playout/thumbnails/picture-decoder.ts'
import { createVisibleElements } from '../playout/visible-elements.ts'
import { playlistSchema, playlistSummarySchema } from '../playlists/playlist-record.ts'
import { registerPlaylistRoutes } from '../playlists/playlist-routes.ts'
import { registerRulesPreviewRoutes } from '../playlists/rules-preview-routes.ts'
import { createTouchPlaylists } from '../playlists/touch-playlists.ts'
import { projectSchema } from '../projects/project-record.ts'
import { registerProjectLifeRoutes } from '../projects/project-life-routes.ts'
import { registerProjectRoutes } from '../projects/project-routes.ts'
import { createdFileSchema, registerCreateFileRoutes } from '../uploads/create-file-routes.ts'
import { registerReplaceFileRoutes } from '../uploads/replace-file-routes.ts'
import { acceptSources } from '../uploads/receive-source.ts'
import { dropAbandonedStaging } from '../uploads/housekeeping.ts'
import { claimStagedBytes, stagingOwnerOf } from '../uploads/staging-owner.ts'
import { createUploadLocks } from '../uploads/upload-locks.ts'
import { registerTusCreationRoutes } from '../uploads/tus/tus-creation-routes.ts'
import { checkMayOpenSignIn } from '../sso/check-may-open-sign-in.ts'
import { registerSsoRoutes } from '../sso/sso-routes.ts'
import { registerUploadRoutes } from '../uploads/upload-routes.ts'
import { catalogUsageSchema, registerCatalogUsageRoutes } from '../usage/catalog-usage-routes.ts'
import { encodingSchema } from '../usage/encoding-record.ts'
import { registerEncodingRoutes } from '../usage/encoding-routes.ts'
import { projectUsageSchema, usageSchema } from '../usage/usage-record.ts'
import { registerUsageRoutes } from '../usage/usage-routes.ts'
import { registerWebhookRoutes } from '../webhooks/webhook-routes.ts'
import { webhookSchemas } from '../webhooks/webhook-schemas.ts'
import { registerConsole } from './console-page.ts'
import { registerHealthRoutes } from './health-routes.ts'
import { registerReferencePage } from './reference-page.ts'
import { ingestAddressesOf } from './ingest-addresses.ts'
import { buildSignIn } from './sign-in.ts'
import { registerPageFiles } from './page-files.ts'
import type { RunningRole } from './running-role.ts'
import { openDiskStore, type Services } from './services.ts'

/** Registers every route of the product on one server, which does not listen yet. */
export const buildApi = async (services: Services): Promise<HttpServer> => {
  const { config, database, blobs, jobs, tokens, signingKeys, issuer } = services
  const { publicUrl, retentionDays } = config
  const app = await createHttpServer({
    log: services.log,
    publicUrl,
    trustedProxies: config.trustedProxies,
    limits: { connections: config.maxConnections },
    hasAccessLog: config.hasAccessLog,
  })
  warnOfProxies(app, config.trustedProxies, services.log)
  const verifier = createTokenVerifier(database, signingKeys, issuer)
  const refusals = createRefusals(config.refusalsPerMinute)
  const signIn = buildSignIn(services, verifier)
  const uploads = {
    database,
    blobs,
    staging: services.staging,
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
  const outboundPolicy = createOutboundPolicy(outbound)
  const pulls = { ...uploads, secrets: services.secrets, outboundPolicy }
  const fileReads = createFileReads(database)
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
      addSchemas(api, identitySchemas)
      registerProjectRoutes(api, { database, publicUrl })
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
      registerPlayoutApiRoutes(api, { database, tokens, publicUrl })
      registerPlaylistApiRoutes(api, { database, tokens, publicUrl })
      registerLiveRoutes(api, { ...live, readFile: fileReads.one })
      registerOutputApiRoutes(api, { ...live, tokens })
      registerUserRoutes(api, signIn)
      registerMeRoutes(api, signIn)
      registerSessionRoutes(api, signIn)
      registerPasswordRoute(api, signIn)
      registerInvitationRoutes(api, { database, publicUrl })
      registerAuditRoutes(api, { database })
      registerUsageRoutes(api, { database })
      registerCatalogUsageRoutes(api, { database })
      registerEncodingRoutes(api, { database, jobs })
      registerApiKeyRoutes(api, { database, signingKeys, issuer, verifier, publicUrl })
      registerWebhookRoutes(api, {
        database,
        secrets: services.secrets,
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
      registerEventStreamRoutes(api, { database, log: services.log, authenticate })
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
      addSchemas(open, identitySchemas)
      registerSignInRoute(open, signIn)
      registerAcceptInvitationRoute(open, signIn)
      registerSignInLinkRoute(open, signIn)
    },
    { prefix: '/v3' },
  )
  await app.register(async (scope) => {
    registerSsoRoutes(scope, { ...signIn, secrets: services.secrets, agent })
  })
  await app.register(async (scope) => {
    registerUploadRoutes(scope, uploads)
  })
  const visibleElements = createVisibleElements(database)
  const sources = createInPlaceSources(blobs)
  await app.register(async (scope) => {
    registerPlayoutRoutes(scope, {
      database,
      blobs,
      sources,
      arrivingSources: createArrivingSources(
        createArrivingFiles(database, services.staging.path),
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
      pictureDecoder: createPictureDecoder({ slots: config.thumbnailDecoders }),
    })
  })
  const liveAccess = createLiveAccess(database, tokens)
  await app.register(async (scope) => {
    const nodeToken = nodeTokenOf(services.secrets)
    registerLivePlayoutRoutes(scope, { access: liveAccess, database, nodeToken })
  })
  const player = await loadPlayerAssets()
  registerEmbedRoutes(app, { database, blobs, tokens, player, visibleElements, liveAccess, publicUrl })
  registerKeySetRoutes(app, { database })
  registerHealthRoutes(app, services)
  registerReferencePage(app)
  registerDocsRoutes(app, { publicUrl })
  registerPageFiles(app)
  await registerConsole(app)
  await app.ready()
  return app
}

const sweepIntervalMs = 3_600_000

export const startApi = async (services: Services): Promise<RunningRole & { readonly port: number }> => {
  const { config, database, staging } = services
  await claimStagedBytes(database, staging, await stagingOwnerOf(config.dataFolder))
  const app = await buildApi(services)
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  const sweep = setInterval(() => {
    dropAbandonedStaging(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'staging not swept'),
    )
  }, sweepIntervalMs)
  return {
    port,
    // Accepts no new connections and lets running requests finish. Closes the remaining connections after the
    // grace period.
    stop: async (graceMs) => {
      clearInterval(sweep)
      const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await app.close()
      clearTimeout(cut)
    },
  }
}
