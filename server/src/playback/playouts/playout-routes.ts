import type { FastifyReply, FastifyRequest } from 'fastify'
import { alignDecodeTimes } from '@zoetrope/isobmff'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Database } from '../../platform/db/database.ts'
import type { AccelRedirect } from '../responses/accel-redirect.ts'
import { withReceivedSegments, type InFlightSources } from '../media/in-flight-sources.ts'
import { registerCaptionPlayoutRoutes } from '../captions/caption-playout-routes.ts'
import {
  captionsOfPlayout,
  findListedRendition,
  nothing,
  playableRenditions,
  type Playout,
  type PlayoutRendition,
} from '../access/find-playout.ts'
import { registerDownloadRoutes } from '../downloads/download-routes.ts'
import { iFramePlaylist } from '../manifests/i-frame-manifests.ts'
import { fileOrPlaylist } from '../access/find-playlist-playout.ts'
import type { PassthroughSources } from '../media/passthrough-sources.ts'
import { createLateSound } from '../media/late-sound.ts'
import { dashManifest, mediaPlaylist, multivariantPlaylist } from '../manifests/manifests.ts'
import type { MediaMemory } from '../media/media-memory.ts'
import { createMediaPieces, type MediaPiece } from '../media/media-pieces.ts'
import { registerPlaylistPlayoutRoutes, sendPlaylistStream } from '../playlists/playlist-playout-routes.ts'
import { registerLogoPictureRoute } from '../pages/player-logo.ts'
import { useAdmitOrigin } from '../access/admit-origin.ts'
import { createPlayoutFinder } from '../access/playout-finder.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import type { PlayoutTokens } from '../access/playout-token.ts'
import {
  corsHeaders,
  hlsType,
  immutable,
  sendByNginx,
  sendManifest,
  sendMedia,
  sendPreflight,
} from '../responses/send-media.ts'
import type { PictureDecoder } from '../thumbnails/picture-decoder.ts'
import { registerThumbnailRoutes } from '../thumbnails/thumbnail-routes.ts'
import { offeredRenditions } from '../on-demand/offered-renditions.ts'
import type { OnDemandDownloads } from '../on-demand/on-demand-downloads.ts'
import type { OnDemandSegments } from '../on-demand/on-demand-segments.ts'
import { sendToSuccessor } from '../on-demand/send-to-successor.ts'
import { closeSignal, isReturning, sendToWait } from '../on-demand/send-to-wait.ts'
import type { WatchNotes } from '../on-demand/watch-notes.ts'
import { registerPictureRoutes } from './picture-routes.ts'
import { registerStoryboardRoutes } from './storyboard-routes.ts'
import type { VisibleElements } from '../access/visible-elements.ts'

export interface PlayoutDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly sources: PassthroughSources
  readonly inFlightSources: InFlightSources
  readonly memory: MediaMemory
  readonly accelRedirect: AccelRedirect | null
  readonly tokens: PlayoutTokens
  readonly publicUrl: string
  readonly visibleElements: VisibleElements
  readonly pictureDecoder: PictureDecoder
  readonly onDemand: OnDemandSegments
  readonly onDemandDownloads: OnDemandDownloads
  readonly watchNotes: WatchNotes
  /** Media seconds that are encoded on demand for each project and day; 0 = no limit. */
  readonly onDemandSecondsPerDay: number
}

const dashType = 'application/dash+xml'
const segmentTypes = { video: 'video/mp4', audio: 'audio/mp4' } as const

const wholeNumber = (text: string): number => {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) throw nothing()
  return Number(text)
}

const readPiece = async ({ read }: MediaPiece): Promise<Buffer> => {
  const body = await read()
  if (body === null) throw nothing()
  return body
}

type SegmentRequest = PlayoutRequest<'rendition' | 'segment'>

/** Registers all URLs that players load. A `/s/<token>` prefix grants access to protected media. */
export const registerPlayoutRoutes = (app: HttpServer, dependencies: PlayoutDependencies): void => {
  const { database, blobs, sources, accelRedirect, onDemand, watchNotes } = dependencies
  const lateSound = createLateSound(sources, dependencies.inFlightSources)
  const pieces = createMediaPieces({ ...dependencies, lateSound })
  const finder = createPlayoutFinder(database, dependencies.tokens)
  const admitOrigin = useAdmitOrigin(app, dependencies.publicUrl)
  app.addHook(
    'onRequest',
    directHook((_request, reply) => {
      reply.headers(corsHeaders)
    }),
  )

  const playoutOf = async (request: PlayoutRequest): Promise<Playout> => {
    const { playoutId, token } = request.params
    const playout = await finder.playout({ playoutId, token: token ?? null })
    admitOrigin(request, playout)
    return playout
  }

  const renditionOf = async (request: PlayoutRequest<'rendition'>): Promise<PlayoutRendition> => {
    const { playoutId, token } = request.params
    const id = wholeNumber(request.params.rendition)
    const { playout, rendition } = await finder.rendition({ playoutId, token: token ?? null }, id)
    admitOrigin(request, playout)
    return rendition
  }

  const offeredOf = async (playout: Playout) =>
    offeredRenditions(
      database,
      await playableRenditions(database, playout),
      dependencies.onDemandSecondsPerDay,
    )

  const multivariant = async (request: PlayoutRequest, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const renditions = await offeredOf(playout)
    const text = multivariantPlaylist(renditions, await captionsOfPlayout(database, playout))
    return sendManifest(request, reply, { text, type: hlsType })
  }

  const dash = async (request: PlayoutRequest, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const renditions = await Promise.all((await offeredOf(playout)).map(lateSound.listed))
    const text = dashManifest(renditions, await captionsOfPlayout(database, playout))
    if (text === null) throw nothing()
    return sendManifest(request, reply, { text, type: dashType })
  }

  const playlist = async (request: PlayoutRequest<'rendition'>, reply: FastifyReply) => {
    const id = wholeNumber(request.params.rendition)
    const rendition = await findListedRendition(database, await playoutOf(request), id)
    // Segments may come from a cache; playlists never do.
    watchNotes.note(rendition)
    const received = await withReceivedSegments(dependencies.inFlightSources, rendition)
    const text = mediaPlaylist(await lateSound.listed(received))
    return sendManifest(request, reply, { text, type: hlsType })
  }

  const iFrames = async (request: PlayoutRequest<'rendition'>, reply: FastifyReply) => {
    const id = wholeNumber(request.params.rendition)
    const text = iFramePlaylist(await findListedRendition(database, await playoutOf(request), id))
    if (text === null) throw nothing()
    return sendManifest(request, reply, { text, type: hlsType })
  }

  const sendPiece = async (
    request: FastifyRequest,
    reply: FastifyReply,
    piece: MediaPiece,
    kind: PlayoutRendition['kind'],
  ) => {
    const type = segmentTypes[kind]
    const location = piece.blob === null ? null : await accelRedirect?.(piece.blob)
    if (location) return sendByNginx(reply, { location, type, cacheControl: immutable })
    return sendMedia(request, reply, { body: await readPiece(piece), type, cacheControl: immutable })
  }

  const init = async (request: PlayoutRequest<'rendition'>, reply: FastifyReply) => {
    const rendition = await renditionOf(request)
    return sendPiece(request, reply, pieces.init(rendition), rendition.kind)
  }

  /** Sends the segment, or the player to where it will be. */
  const withSegment = async (
    request: SegmentRequest,
    reply: FastifyReply,
    send: (piece: MediaPiece, kind: PlayoutRendition['kind']) => Promise<FastifyReply> | FastifyReply,
  ) => {
    const index = wholeNumber(request.params.segment)
    const rendition = await renditionOf(request)
    const { id, kind } = rendition
    watchNotes.note(rendition)
    if (rendition.state !== 'on_demand') return send(pieces.segment(rendition, index), kind)
    const viewer = {
      ...{ playoutId: request.params.playoutId, address: request.ip },
      ...{ signal: closeSignal(reply), isReturning: isReturning(request) },
    }
    const found = await onDemand.find(viewer, rendition, index)
    if (found === 'later') return sendToWait(request, reply)
    if ('successorId' in found)
      return sendToSuccessor(request, reply, { formerId: id, successorId: found.successorId })
    return send(pieces.segment({ ...rendition, chunk_folders: found.folders }, index), kind)
  }

  const segment = (request: SegmentRequest, reply: FastifyReply) =>
    withSegment(request, reply, (piece, kind) => sendPiece(request, reply, piece, kind))

  const paddedSegment = async (request: SegmentRequest, reply: FastifyReply) => {
    const index = wholeNumber(request.params.segment)
    const rendition = await renditionOf(request)
    return sendPiece(request, reply, await pieces.paddedSegment(rendition, index), rendition.kind)
  }

  /**
   * Sends the segment with adjusted timestamps. The stored segment, which nginx would send, leaves a gap
   * between two elements of a playlist.
   */
  const alignedSegment = (request: SegmentRequest, reply: FastifyReply) =>
    withSegment(request, reply, async (piece, kind) => {
      const body = Buffer.from(await readPiece(piece))
      alignDecodeTimes(body)
      return sendMedia(request, reply, { body, type: segmentTypes[kind], cacheControl: immutable })
    })

  const bases = ['/v/:playoutId', '/s/:token/v/:playoutId']
  for (const base of bases) {
    const ofPlayout = { schema: playoutSchema() }
    const ofRendition = { schema: playoutSchema('rendition') }
    const ofSegment = { schema: playoutSchema('rendition', 'segment') }
    app.options(`${base}/*`, { schema: { hide: true } }, sendPreflight)
    app.get(`${base}/main.m3u8`, ofPlayout, (request, reply) =>
      fileOrPlaylist(
        () => multivariant(request, reply),
        () => sendPlaylistStream({ ...dependencies, admitOrigin }, request, reply),
      ),
    )
    app.get(`${base}/main.mpd`, ofPlayout, dash)
    app.get(`${base}/:rendition/playlist.m3u8`, ofRendition, playlist)
    app.get(`${base}/:rendition/iframes.m3u8`, ofRendition, iFrames)
    app.get(`${base}/:rendition/init.mp4`, ofRendition, init)
    app.get(`${base}/:rendition/:segment.m4s`, ofSegment, segment)
    app.get(`${base}/:rendition/padded/:segment.m4s`, ofSegment, paddedSegment)
    app.get(`${base}/:rendition/aligned/:segment.m4s`, ofSegment, alignedSegment)
    registerPlaylistPlayoutRoutes(app, base, { ...dependencies, admitOrigin })
  }

  registerCaptionPlayoutRoutes(app, { database, blobs, playoutOf, bases })
  registerStoryboardRoutes(app, { database, blobs, publicUrl: dependencies.publicUrl, playoutOf, bases })
  registerThumbnailRoutes(app, { database, pieces, decoder: dependencies.pictureDecoder, playoutOf, bases })
  registerDownloadRoutes(app, { ...dependencies, playoutOf, bases })

  registerPictureRoutes(app, { database, blobs, finder, admitOrigin })
  registerLogoPictureRoute(app, database)
}
