import { registerCaptionRoutes } from '../../library/captions/caption-routes.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerPictureRoutes } from '../../library/pictures/picture-routes.ts'
import { registerLogoRoutes } from '../../library/pictures/logo/logo-routes.ts'
import { registerWatermarkRoutes } from '../../library/pictures/watermark/watermark-routes.ts'
import { registerCreateFileRoutes } from '../../ingest/uploads/api/create-file-routes.ts'
import { registerReplaceFileRoutes } from '../../ingest/uploads/api/replace-file-routes.ts'
import { acceptSources } from '../../ingest/uploads/api/receive-source.ts'
import { registerTusCreationRoutes } from '../../ingest/uploads/tus/tus-creation-routes.ts'
import type { ApiServices } from '../roles/services.ts'
import type { ApiParts } from './api-parts.ts'

/** Routes whose requests have media in their body. */
export const registerUploads = async (
  api: HttpServer,
  services: ApiServices,
  parts: ApiParts,
): Promise<void> => {
  const { config, database, blobs, jobs } = services
  const { publicUrl } = config
  const { pulls, uploads } = parts
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
}
