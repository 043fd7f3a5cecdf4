import { timelineStartSeconds } from '@zoetrope/packager'
import type { FastifyReply } from 'fastify'
import { captionSegment, captionSegmentSeconds } from '../../library/captions/caption-segments.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { Database } from '../../platform/db/database.ts'
import { captionPlaylist } from '../manifests/caption-manifests.ts'
import { createCaptionTexts } from './caption-texts.ts'
import { findCaptionBlob, nothing, playableRenditions, type Playout } from '../access/find-playout.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import { hlsType, immutable, sendManifest, sendMedia } from '../responses/send-media.ts'

const textType = 'text/vtt; charset=utf-8'

/** Upper limit of the segment number, beyond the length of any video. */
const maxSegments = (7 * 86_400) / captionSegmentSeconds

/**
 * Registers the caption routes: whole tracks for DASH and for download, segments for HLS. They have the access
 * rules of their video.
 */
export const registerCaptionPlayoutRoutes = (
  app: HttpServer,
  dependencies: {
    readonly database: Database
    readonly blobs: BlobStore
    readonly playoutOf: (request: PlayoutRequest) => Promise<Playout>
    readonly bases: readonly string[]
  },
): void => {
  const { database, playoutOf } = dependencies
  const texts = createCaptionTexts(dependencies.blobs)

  const textOf = async (request: PlayoutRequest<'caption'>) => {
    const playout = await playoutOf(request)
    const text = await texts.read(await findCaptionBlob(database, playout, request.params.caption))
    if (text === null) throw nothing()
    return text
  }

  const playlist = async (request: PlayoutRequest<'caption'>, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    await findCaptionBlob(database, playout, request.params.caption)
    const text = captionPlaylist(await playableRenditions(database, playout))
    return sendManifest(request, reply, { text, type: hlsType })
  }

  const whole = async (request: PlayoutRequest<'caption'>, reply: FastifyReply) => {
    const { bytes } = await textOf(request)
    return sendMedia(request, reply, { body: bytes, type: textType, cacheControl: immutable })
  }

  const segment = async (request: PlayoutRequest<'caption' | 'segment'>, reply: FastifyReply) => {
    const { segment: name } = request.params
    if (!/^(0|[1-9][0-9]{0,6})$/.test(name) || Number(name) >= maxSegments) throw nothing()
    const { document } = await textOf(request)
    const body = Buffer.from(captionSegment(document, Number(name), timelineStartSeconds))
    return sendMedia(request, reply, { body, type: textType, cacheControl: immutable })
  }

  const ofCaption = { schema: playoutSchema('caption') }
  const ofSegment = { schema: playoutSchema('caption', 'segment') }
  for (const base of dependencies.bases) {
    app.get(`${base}/captions/:caption.vtt`, ofCaption, whole)
    app.get(`${base}/captions/:caption/playlist.m3u8`, ofCaption, playlist)
    app.get(`${base}/captions/:caption/:segment.vtt`, ofSegment, segment)
  }
}
