import { registerCatalogRoutes } from '../../library/catalog/catalog-routes.ts'
import { registerClipRoutes } from '../../library/files/api/clip-routes.ts'
import { registerFileLifeRoutes } from '../../library/files/api/file-life-routes.ts'
import { registerFileReadRoutes } from '../../library/files/api/file-read-routes.ts'
import { registerFileRoutes } from '../../library/files/api/file-routes.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerPlaylistRoutes } from '../../library/playlists/playlist-routes.ts'
import { registerRulesPreviewRoutes } from '../../library/playlists/rules-preview-routes.ts'
import { createTouchPlaylists } from '../../library/playlists/touch-playlists.ts'
import { registerProjectLifeRoutes } from '../../library/projects/project-life-routes.ts'
import { registerProjectRoutes } from '../../library/projects/project-routes.ts'
import type { ApiServices } from '../roles/services.ts'
import type { ApiParts } from './api-parts.ts'

/** Projects, files, playlists and categories. */
export const registerLibrary = (api: HttpServer, services: ApiServices, parts: ApiParts): void => {
  const { config, database, blobs, jobs } = services
  const { publicUrl, retentionDays } = config
  const { fileReads, uploads } = parts
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
}
