import { registerLiveRoutes } from '../../live/control/api/live-routes.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerPlaylistApiRoutes } from '../../playback/api/playlist-api-routes.ts'
import { registerPlayoutApiRoutes } from '../../playback/api/playout-api-routes.ts'
import { registerOutputApiRoutes } from '../../playback/api/output-api-routes.ts'
import type { ApiServices } from '../roles/services.ts'
import type { ApiParts } from './api-parts.ts'

/** Playouts in the API, and live streams. */
export const registerPlaybackApi = (api: HttpServer, services: ApiServices, parts: ApiParts): void => {
  const { config, database, tokens, linkKeys } = services
  const { publicUrl } = config
  const { live, fileReads } = parts
  registerPlayoutApiRoutes(api, { database, tokens, linkKeys, publicUrl })
  registerPlaylistApiRoutes(api, { database, tokens, linkKeys, publicUrl })
  registerLiveRoutes(api, { ...live, readFile: fileReads.one })
  registerOutputApiRoutes(api, { ...live, tokens, linkKeys })
}
