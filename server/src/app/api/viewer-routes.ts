import { observeMedia } from '../../analytics/collect/observe-media.ts'
import { createReportLimits } from '../../analytics/collect/report-limits.ts'
import { createReportReader } from '../../analytics/collect/report-reader.ts'
import { registerReportRoutes } from '../../analytics/collect/report-routes.ts'
import { registerHeatMapRoutes } from '../../analytics/heat-map/heat-map-routes.ts'
import { startAnalytics } from '../../analytics/start-analytics.ts'
import { createInFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerEmbedRoutes } from '../../playback/pages/embed-routes.ts'
import { loadPlayerAssets } from '../../playback/pages/player-assets.ts'
import { createAccelRedirect } from '../../playback/responses/accel-redirect.ts'
import { createInFlightSources } from '../../playback/media/in-flight-sources.ts'
import { createChunkLimits } from '../../playback/on-demand/chunk-limits.ts'
import { createOnDemandDownloads } from '../../playback/on-demand/on-demand-downloads.ts'
import { createOnDemandSegments } from '../../playback/on-demand/on-demand-segments.ts'
import { createWatchNotes } from '../../playback/on-demand/watch-notes.ts'
import type { PassthroughSources } from '../../playback/media/passthrough-sources.ts'
import { createLiveAccess } from '../../playback/live/live-access.ts'
import { nodeTokenOf } from '../../live/control/nodes/node-token.ts'
import { createLivePlayers } from '../../playback/live/live-players.ts'
import { registerLivePlayoutRoutes } from '../../playback/live/live-playout-routes.ts'
import { createMediaMemory } from '../../playback/media/media-memory.ts'
import { registerPlayoutRoutes } from '../../playback/playouts/playout-routes.ts'
import { createPictureDecoder } from '../../playback/thumbnails/picture-decoder.ts'
import { createVisibleElements } from '../../playback/access/visible-elements.ts'
import { openDiskStore, type ApiServices } from '../roles/services.ts'

/** Media, pages and reports of viewers, outside of /v3. */
export const registerViewerRoutes = async (
  app: HttpServer,
  services: ApiServices,
  sources: PassthroughSources,
): Promise<void> => {
  const { config, database, blobs, jobs, tokens } = services
  const { publicUrl } = config
  const visibleElements = createVisibleElements(database)
  const limits = createReportLimits()
  const reader = createReportReader({ limits, isOptOutRespected: config.isAnalyticsOptOutRespected })
  const analytics = config.isAnalyticsOn
    ? startAnalytics({
        database,
        tokens,
        publicUrl,
        limits,
        reader,
        isPageCollected: config.isAnalyticsPageCollected,
        countryDatabase: config.analyticsCountryDatabase,
        log: services.log,
      })
    : null
  if (analytics !== null) app.addHook('onClose', analytics.stop)
  const chunks = {
    ...{ database, jobs, limits: createChunkLimits() },
    secondsPerDay: config.onDemandMinutesPerDay * 60,
  }
  const watchNotes = createWatchNotes(database)
  app.addHook('onClose', watchNotes.close)
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
      onDemand: createOnDemandSegments(chunks),
      onDemandDownloads: createOnDemandDownloads(chunks),
      watchNotes,
      onDemandSecondsPerDay: chunks.secondsPerDay,
    })
  })
  const liveAccess = createLiveAccess(database, tokens)
  const nodeToken = nodeTokenOf(services.secrets)
  await app.register(async (scope) => {
    if (analytics !== null) observeMedia(scope, analytics)
    registerLivePlayoutRoutes(scope, { access: liveAccess, database, nodeToken, publicUrl })
  })
  await app.register(async (scope) => {
    const collector = analytics?.collector ?? null
    const livePlayers = createLivePlayers({ access: liveAccess, token: nodeToken, log: services.log })
    scope.addHook('onClose', livePlayers.close)
    registerReportRoutes(scope, {
      ...{ database, tokens, liveAccess, publicUrl, reader, livePlayers, collector },
    })
  })
  await app.register(async (scope) => {
    registerHeatMapRoutes(scope, { database, tokens, publicUrl })
  })
  const player = await loadPlayerAssets()
  registerEmbedRoutes(app, {
    ...{ database, blobs, tokens, player, visibleElements, liveAccess, publicUrl },
    isAnalyticsOn: config.isAnalyticsOn,
  })
}
