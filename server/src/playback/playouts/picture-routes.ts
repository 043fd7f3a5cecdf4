import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { BlobNotFoundError, type BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { findPicture, nothing, type StoredPicture } from '../access/find-playout.ts'
import type { AdmitOrigin } from '../access/admit-origin.ts'
import type { PlayoutFinder } from '../access/playout-finder.ts'
import { sendMedia, sendPreflight } from '../responses/send-media.ts'

const params = Type.Object({ pictureId: Type.String(), token: Type.Optional(Type.String()) })
/** `key` is ignored unless it is a text, so that any other query answers like none. */
const querystring = Type.Object({ key: Type.Optional(Type.Unknown()) })

type PictureRequest = FastifyRequest & {
  readonly params: Static<typeof params>
  readonly query: Static<typeof querystring>
}

/** A picture never changes under its id, but its file can be withdrawn. */
const publicCache = 'public, max-age=3600'
const privateCache = 'private, max-age=3600'

const opens = (key: unknown, { access_key }: StoredPicture): boolean => {
  const given = Buffer.from(typeof key === 'string' ? key : '')
  const wanted = Buffer.from(access_key)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/**
 * Pictures have the access rules of their video. Records and events link to them with the key of the picture,
 * which also opens pictures of unpublished files and of projects with token security: API users need them.
 */
export const registerPictureRoutes = (
  app: HttpServer,
  {
    database,
    blobs,
    finder,
    admitOrigin,
  }: {
    readonly database: Database
    readonly blobs: BlobStore
    readonly finder: PlayoutFinder
    readonly admitOrigin: AdmitOrigin
  },
): void => {
  const cacheOf = async (request: PictureRequest, stored: StoredPicture): Promise<string> => {
    const { token = null } = request.params
    if (token === null && opens(request.query.key, stored)) return privateCache
    admitOrigin(request, await finder.playout({ playoutId: stored.playout_id, token }))
    return token === null ? publicCache : privateCache
  }

  const picture =
    (column: 'picture_blob' | 'thumb_blob') => async (request: PictureRequest, reply: FastifyReply) => {
      const stored = await findPicture(database, request.params.pictureId)
      const cacheControl = await cacheOf(request, stored)
      const body = await blobs.read(stored[column]).catch((error: unknown) => {
        if (error instanceof BlobNotFoundError) throw nothing()
        throw error
      })
      return sendMedia(request, reply, { body, type: 'image/jpeg', cacheControl })
    }

  const options = { schema: { hide: true, params, querystring } }
  for (const base of ['/p', '/s/:token/p']) {
    app.options(`${base}/*`, { schema: { hide: true } }, sendPreflight)
    app.get(`${base}/:pictureId/poster.jpg`, options, picture('picture_blob'))
    app.get(`${base}/:pictureId/thumb.jpg`, options, picture('thumb_blob'))
  }
}
