import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeTime } from '../../library/captions/text/cue-time.ts'
import { BlobNotFoundError, type BlobStore } from '../../platform/blobs/blob-store.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { Database } from '../../platform/db/database.ts'
import type { FileStoryboard } from '../../platform/db/tables/pictures.ts'
import { nothing, type Playout } from '../access/find-playout.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import { immutable, sendManifest, sendMedia } from '../responses/send-media.ts'

/**
 * Serves the storyboard of a video for players, and its sprite images. They have the access rules of their
 * video.
 */

const jpegType = 'image/jpeg'

interface Tile {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly x: number
  readonly y: number
}

const tilesOf = (storyboard: FileStoryboard): Tile[] => {
  const { columns, tileWidthPixels, tileHeightPixels, intervalSeconds, stillEnds } = storyboard
  return stillEnds.map((_end, index) => ({
    startSeconds: index * intervalSeconds,
    // The last tile lasts until the end, and at least 1 ms if the video is shorter than its storyboard.
    endSeconds:
      index === stillEnds.length - 1
        ? Math.max(storyboard.durationSeconds, index * intervalSeconds + 0.001)
        : (index + 1) * intervalSeconds,
    x: (index % columns) * tileWidthPixels,
    y: Math.floor(index / columns) * tileHeightPixels,
  }))
}

const ms = (seconds: number): number => Math.round(seconds * 1_000)

/**
 * Renders the WebVTT storyboard. URIs are relative, so that they keep a token in the path; `xywh` is from Media
 * Fragments URI 1.0, 4.2.2.
 */
export const storyboardText = (storyboard: FileStoryboard): string => {
  const { publicId, tileWidthPixels, tileHeightPixels } = storyboard
  const cues = tilesOf(storyboard).map(
    ({ startSeconds, endSeconds, x, y }) =>
      `${writeTime(ms(startSeconds))} --> ${writeTime(ms(endSeconds))}\nstoryboard/${publicId}.jpg#xywh=${x},${y},${tileWidthPixels},${tileHeightPixels}\n`,
  )
  return ['WEBVTT\n', ...cues].join('\n')
}

/**
 * Renders the storyboard in the JSON format of Mux, which players support. It requires an absolute image URL.
 */
const storyboardJson = (storyboard: FileStoryboard, baseUri: string): string =>
  JSON.stringify({
    url: `${baseUri}/storyboard/${storyboard.publicId}.jpg`,
    tile_width: storyboard.tileWidthPixels,
    tile_height: storyboard.tileHeightPixels,
    duration: storyboard.durationSeconds,
    tiles: tilesOf(storyboard).map(({ startSeconds, x, y }) => ({ start: startSeconds, x, y })),
  })

export const registerStoryboardRoutes = (
  app: HttpServer,
  dependencies: {
    readonly database: Database
    readonly blobs: BlobStore
    readonly publicUrl: string
    readonly playoutOf: (request: PlayoutRequest) => Promise<Playout>
    readonly bases: readonly string[]
  },
): void => {
  const { database, blobs, publicUrl, playoutOf } = dependencies

  const storyboardOf = async (request: PlayoutRequest): Promise<FileStoryboard> => {
    const { fileId } = await playoutOf(request)
    const file = await database.kysely
      .selectFrom('media_files')
      .select('storyboard')
      .where('id', '=', fileId)
      .executeTakeFirst()
    if (file === undefined || file.storyboard === null) throw nothing()
    return file.storyboard
  }

  /**
   * Returns the storyboard only under its current id. No other storyboard reuses an id, so browsers can cache
   * its images permanently.
   */
  const namedStoryboard = async (request: PlayoutRequest<'storyboard'>): Promise<FileStoryboard> => {
    const storyboard = await storyboardOf(request)
    if (storyboard.publicId !== request.params.storyboard) throw nothing()
    return storyboard
  }

  const sendPicture = async (request: FastifyRequest, reply: FastifyReply, reading: Promise<Buffer>) => {
    const body = await reading.catch((error: unknown) => {
      if (error instanceof BlobNotFoundError) throw nothing()
      throw error
    })
    return sendMedia(request, reply, { body, type: jpegType, cacheControl: immutable })
  }

  const text = async (request: PlayoutRequest, reply: FastifyReply) =>
    sendManifest(request, reply, {
      text: storyboardText(await storyboardOf(request)),
      type: 'text/vtt; charset=utf-8',
    })

  const json = async (request: PlayoutRequest, reply: FastifyReply) => {
    const { pathname } = new URL(request.url, publicUrl)
    const baseUri = `${publicUrl}${pathname.slice(0, pathname.lastIndexOf('/'))}`
    return sendManifest(request, reply, {
      text: storyboardJson(await storyboardOf(request), baseUri),
      type: 'application/json; charset=utf-8',
    })
  }

  const sheet = async (request: PlayoutRequest<'storyboard'>, reply: FastifyReply) => {
    const { sheetBlob } = await namedStoryboard(request)
    return sendPicture(request, reply, blobs.read(sheetBlob))
  }

  const still = async (request: PlayoutRequest<'storyboard' | 'still'>, reply: FastifyReply) => {
    const { stillsBlob, stillEnds } = await namedStoryboard(request)
    const name = request.params.still
    const end = /^(0|[1-9]\d?)$/.test(name) ? stillEnds[Number(name)] : undefined
    if (end === undefined) throw nothing()
    const start = stillEnds[Number(name) - 1] ?? 0
    return sendPicture(request, reply, blobs.read(stillsBlob, { start, end }))
  }

  const ofPlayout = { schema: playoutSchema() }
  for (const base of dependencies.bases) {
    app.get(`${base}/storyboard.vtt`, ofPlayout, text)
    app.get(`${base}/storyboard.json`, ofPlayout, json)
    app.get(`${base}/storyboard/:storyboard.jpg`, { schema: playoutSchema('storyboard') }, sheet)
    app.get(
      `${base}/storyboard/:storyboard/:still.jpg`,
      { schema: playoutSchema('storyboard', 'still') },
      still,
    )
  }
}
