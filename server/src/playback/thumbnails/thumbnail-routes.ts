import { animationArguments, thumbnailArguments, type ThumbnailFormat } from '@zoetrope/ffmpeg'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { renditionEndSeconds } from '../../library/files/media/rendition-length.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, namesEtag } from '../../platform/http/responses/etag.ts'
import type { Database } from '../../platform/db/database.ts'
import { nothing, playableRenditions, type Playout } from '../access/find-playout.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import type { MediaPieces } from '../media/media-pieces.ts'
import { revalidate, sendRange } from '../responses/send-media.ts'
import { chooseVideo, createFrameSource, type Frame } from './frame-source.ts'
import type { PictureDecoder } from './picture-decoder.ts'
import {
  animationQuery,
  parseAnimationQuery,
  parseThumbnailQuery,
  thumbnailQuery,
} from './thumbnail-query.ts'

type ThumbnailRequest = PlayoutRequest & { readonly query: Static<typeof thumbnailQuery> }
type AnimationRequest = PlayoutRequest & { readonly query: Static<typeof animationQuery> }

/** Increase it when the same thumbnail request produces different bytes. */
const layoutVersion = 1

/**
 * Registers thumbnails and short animations of a video, made on request. They have the access rules of their
 * video.
 */
export const registerThumbnailRoutes = (
  app: HttpServer,
  dependencies: {
    readonly database: Database
    readonly pieces: MediaPieces
    readonly decoder: PictureDecoder
    readonly playoutOf: (request: PlayoutRequest) => Promise<Playout>
    readonly bases: readonly string[]
  },
): void => {
  const { database, decoder, playoutOf } = dependencies
  const frames = createFrameSource(dependencies.pieces)

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    picture: {
      readonly key: string
      readonly type: string
      readonly arguments: readonly string[]
      readonly frame: Frame
      readonly videoKey: string | null
    },
  ) => {
    const key = `${layoutVersion} ${picture.key}`
    const etag = etagOf(key)
    // Checked before any frame is decoded.
    if (namesEtag(request.headers['if-none-match'], etag))
      return reply.code(304).header('ETag', etag).header('Cache-Control', revalidate).send()
    const body = await decoder.picture(key, {
      arguments: picture.arguments,
      header: picture.frame.header,
      stream: picture.frame.stream,
      videoKey: picture.videoKey,
    })
    return sendRange(request, reply, {
      ...{ sizeBytes: body.length, etag, type: picture.type, cacheControl: revalidate },
      bytes: ({ start, end }) => body.subarray(start, end),
    })
  }

  const thumbnail = (format: ThumbnailFormat) => async (request: ThumbnailRequest, reply: FastifyReply) => {
    const { timeSeconds, box } = parseThumbnailQuery(request.query)
    const video = chooseVideo(await playableRenditions(database, await playoutOf(request)), box)
    if (video === null) throw nothing()
    const frame = await frames.at(video, timeSeconds ?? renditionEndSeconds(video) / 2)
    const videoKey = [video.id, format, box.widthPixels, box.heightPixels, box.fit].join(' ')
    return send(request, reply, {
      key: `${videoKey} ${frame.ticks}`,
      type: `image/${format}`,
      arguments: thumbnailArguments(format, box),
      frame,
      videoKey,
    })
  }

  const animation = async (request: AnimationRequest, reply: FastifyReply) => {
    const { startSeconds, endSeconds, widthPixels } = parseAnimationQuery(request.query)
    const renditions = await playableRenditions(database, await playoutOf(request))
    const video = chooseVideo(renditions, { widthPixels })
    if (video === null) throw nothing()
    const frame = await frames.between(video, startSeconds, endSeconds)
    const durationSeconds = endSeconds - startSeconds
    return send(request, reply, {
      key: [video.id, frame.ticks, 'animation', durationSeconds.toFixed(3), widthPixels].join(' '),
      type: 'image/webp',
      arguments: animationArguments({ widthPixels, durationSeconds }),
      frame,
      videoKey: null,
    })
  }

  const still = { schema: { ...playoutSchema(), querystring: thumbnailQuery } }
  const animated = { schema: { ...playoutSchema(), querystring: animationQuery } }
  for (const base of dependencies.bases) {
    app.get(`${base}/thumbnail.jpg`, still, thumbnail('jpeg'))
    app.get(`${base}/thumbnail.webp`, still, thumbnail('webp'))
    app.get(`${base}/animated.webp`, animated, animation)
  }
}
