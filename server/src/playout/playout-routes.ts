import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { alignDecodeTimes } from '@zoetrope/isobmff'
import { initBlob, segmentBlob } from '../files/media-blobs.ts'
import { BlobNotFoundError, type BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Database } from '../kernel/db/database.ts'
import { registerCaptionPlayoutRoutes } from './caption-playout-routes.ts'
import {
  captionsOfPlayout,
  findListedRendition,
  findPicture,
  findPlayout,
  findRendition,
  nothing,
  playableRenditions,
  type Playout,
} from './find-playout.ts'
import { fileOrPlaylist } from './find-playlist-playout.ts'
import type { InPlaceSources } from './in-place-sources.ts'
import { dashManifest, mediaPlaylist, multivariantPlaylist } from './manifests.ts'
import { registerPlaylistPlayoutRoutes, sendPlaylistStream } from './playlist-playout-routes.ts'
import type { PlayoutTokens } from './playout-token.ts'
import { corsHeaders, hlsType, immutable, sendManifest, sendMedia } from './send-media.ts'
import type { VisibleElements } from './visible-elements.ts'

export interface PlayoutDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly sources: InPlaceSources
  readonly tokens: PlayoutTokens
  readonly publicUrl: string
  readonly visibleElements: VisibleElements
}

const dashType = 'application/dash+xml'
const segmentTypes = { video: 'video/mp4', audio: 'audio/mp4' } as const

interface Params {
  readonly playoutId: string
  readonly token?: string
  readonly rendition?: string
  readonly segment?: string
}

const wholeNumber = (text: string | undefined): number => {
  if (text === undefined || !/^(0|[1-9][0-9]{0,14})$/.test(text)) throw nothing()
  return Number(text)
}

const ignoreMissing = (error: unknown): null => {
  if (error instanceof BlobNotFoundError) return null
  throw error
}

/** Everything that viewers' players load; `/s/<token>` before it opens what is protected. */
export const registerPlayoutRoutes = (app: FastifyInstance, dependencies: PlayoutDependencies): void => {
  const { database, blobs, sources, tokens } = dependencies
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(corsHeaders)
  })

  const playoutOf = (request: FastifyRequest): Promise<Playout> => {
    const { playoutId, token } = request.params as Params
    return findPlayout(database, tokens, { playoutId, token: token ?? null })
  }

  const multivariant = async (request: FastifyRequest, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const renditions = await playableRenditions(database, playout)
    const text = multivariantPlaylist(renditions, await captionsOfPlayout(database, playout))
    return sendManifest(request, reply, { text, type: hlsType })
  }

  const dash = async (request: FastifyRequest, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const renditions = await playableRenditions(database, playout)
    const text = dashManifest(renditions, await captionsOfPlayout(database, playout))
    if (text === null) throw nothing()
    return sendManifest(request, reply, { text, type: dashType })
  }

  const playlist = async (request: FastifyRequest, reply: FastifyReply) => {
    const id = wholeNumber((request.params as Params).rendition)
    const rendition = await findListedRendition(database, await playoutOf(request), id)
    return sendManifest(request, reply, { text: mediaPlaylist(rendition), type: hlsType })
  }

  const init = async (request: FastifyRequest, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const rendition = await findRendition(
      database,
      playout,
      wholeNumber((request.params as Params).rendition),
    )
    const body =
      rendition.delivery === 'in_place'
        ? await sources.initSegment(rendition.media_blob, rendition.kind)
        : await blobs.read(initBlob(rendition.media_blob)).catch(ignoreMissing)
    if (body === null) throw nothing()
    return sendMedia(request, reply, { body, type: segmentTypes[rendition.kind], cacheControl: immutable })
  }

  const segmentOf = async (request: FastifyRequest): Promise<{ body: Buffer; type: string }> => {
    const params = request.params as Params
    const index = wholeNumber(params.segment)
    const playout = await playoutOf(request)
    const rendition = await findRendition(database, playout, wholeNumber(params.rendition))
    const parts =
      rendition.delivery === 'in_place'
        ? await sources.segment(rendition.media_blob, rendition.kind, index)
        : await blobs.read(segmentBlob(rendition.media_blob, index)).then((body) => [body], ignoreMissing)
    if (parts === null) throw nothing()
    const body = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    return { body, type: segmentTypes[rendition.kind] }
  }

  const segment = async (request: FastifyRequest, reply: FastifyReply) =>
    sendMedia(request, reply, { ...(await segmentOf(request)), cacheControl: immutable })

  /** As the stream of a playlist wants it: with the first picture decoded when it is shown. */
  const alignedSegment = async (request: FastifyRequest, reply: FastifyReply) => {
    const { body, type } = await segmentOf(request)
    const aligned = Buffer.from(body)
    alignDecodeTimes(aligned)
    return sendMedia(request, reply, { body: aligned, type, cacheControl: immutable })
  }

  const bases = ['/v/:playoutId', '/s/:token/v/:playoutId']
  for (const base of bases) {
    const hidden = { schema: { hide: true } }
    app.options(`${base}/*`, hidden, async (_request, reply) => reply.code(204).send())
    app.get(`${base}/main.m3u8`, hidden, (request, reply) =>
      fileOrPlaylist(
        () => multivariant(request, reply),
        () => sendPlaylistStream(dependencies, request, reply),
      ),
    )
    app.get(`${base}/main.mpd`, hidden, dash)
    app.get(`${base}/:rendition/playlist.m3u8`, hidden, playlist)
    app.get(`${base}/:rendition/init.mp4`, hidden, init)
    app.get(`${base}/:rendition/:segment.m4s`, hidden, segment)
    app.get(`${base}/:rendition/aligned/:segment.m4s`, hidden, alignedSegment)
    registerPlaylistPlayoutRoutes(app, base, dependencies)
  }

  registerCaptionPlayoutRoutes(app, { database, blobs, playoutOf, bases })

  /** Pictures stand in records and webhook payloads of unpublished files too: their random id is what protects them. */
  const picture =
    (column: 'picture_blob' | 'thumb_blob') => async (request: FastifyRequest, reply: FastifyReply) => {
      const { pictureId } = request.params as { pictureId: string }
      const stored = await findPicture(database, pictureId)
      const body = await blobs.read(stored[column]).catch(ignoreMissing)
      if (body === null) throw nothing()
      return sendMedia(request, reply, { body, type: 'image/jpeg', cacheControl: immutable })
    }
  app.get('/p/:pictureId/poster.jpg', { schema: { hide: true } }, picture('picture_blob'))
  app.get('/p/:pictureId/thumb.jpg', { schema: { hide: true } }, picture('thumb_blob'))
}
