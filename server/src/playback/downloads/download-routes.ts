import { Readable } from 'node:stream'
import { IsobmffError } from '@zoetrope/isobmff'
import type { FastifyReply } from 'fastify'
import { Type, type Static } from 'typebox'
import { titleFromFileName } from '../../library/files/record/file-name.ts'
import {
  bestOnDemand,
  m4aDownloadOf,
  mp4DownloadOf,
  type Download,
} from '../../library/files/record/parts/mp4-download.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, namesEtag } from '../../platform/http/responses/etag.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import { BlobNotFoundError, type BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import { attachment } from './attachment.ts'
import { createDownloadMovies } from './download-movies.ts'
import { nothing, playableRenditions, type Playout } from '../access/find-playout.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import { findSuccessors } from '../../library/files/on-demand/watched-rungs.ts'
import type { WatchNotes } from '../on-demand/watch-notes.ts'
import type { OnDemandDownloads } from '../on-demand/on-demand-downloads.ts'
import type { PassthroughSources } from '../media/passthrough-sources.ts'
import { revalidate, sendRange } from '../responses/send-media.ts'
import { whileAllowed } from '../access/while-allowed.ts'

/**
 * Increase it when the same renditions produce different bytes, so that a resumed download does not mix two
 * layouts.
 */
const layoutVersion = 1

const prepareSeconds = 5

/** Programs repeat the request after `Retry-After`, browsers after `Refresh`. */
const sendPreparing = (reply: FastifyReply, percent: number): FastifyReply =>
  reply
    .code(202)
    .headers({ 'Retry-After': prepareSeconds, Refresh: prepareSeconds, 'Cache-Control': 'no-store' })
    .send({ EncodingProgress: percent })

/** Interval of the access check. A download may last for hours and ends when access is revoked. */
const askAgainEveryMs = 10_000

const downloadQuery = Type.Object({ rendition: Type.Optional(idSchema) })
type Mp4Request = PlayoutRequest & { readonly query: Static<typeof downloadQuery> }

/**
 * Registers the download of one MP4, or one M4A for audio-only files, muxed while it is sent. Access rules are
 * those of playback.
 */
export const registerDownloadRoutes = (
  app: HttpServer,
  dependencies: {
    readonly database: Database
    readonly blobs: BlobStore
    readonly sources: PassthroughSources
    readonly onDemandDownloads: OnDemandDownloads
    readonly watchNotes: WatchNotes
    readonly playoutOf: (request: PlayoutRequest) => Promise<Playout>
    readonly bases: readonly string[]
  },
): void => {
  const { database, blobs, sources, playoutOf } = dependencies
  const movies = createDownloadMovies(blobs, sources)

  const send = async (
    request: PlayoutRequest,
    reply: FastifyReply,
    playout: Playout,
    { made, extension, type }: { made: Download | null; extension: string; type: string },
  ) => {
    if (made === null) throw nothing()
    const etag = etagOf(`${layoutVersion} ${made.video?.id ?? ''} ${made.audio?.id ?? ''}`)
    // Checked first, because opening a movie may open each of its segments.
    if (namesEtag(request.headers['if-none-match'], etag))
      return reply.code(304).header('ETag', etag).header('Cache-Control', revalidate).send()
    const movie = await movies.open(made).catch((error: unknown) => {
      if (error instanceof BlobNotFoundError) throw nothing()
      if (!(error instanceof IsobmffError)) throw error
      request.log.error({ err: error, fileId: playout.fileId }, 'cannot read the media of a file')
      throw nothing()
    })
    const { original_file_name: fileName } = await database.kysely
      .selectFrom('media_files')
      .select('original_file_name')
      .where('id', '=', playout.fileId)
      .executeTakeFirstOrThrow(nothing)
    reply.header('Content-Disposition', attachment(`${titleFromFileName(fileName)}.${extension}`))
    return sendRange(request, reply, {
      sizeBytes: movie.sizeBytes,
      etag,
      type,
      cacheControl: revalidate,
      bytes: (range) =>
        Readable.from(
          whileAllowed(movie.read(range), () => playoutOf(request), askAgainEveryMs),
          { objectMode: false },
        ),
    })
  }
  const mp4 = async (request: Mp4Request, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const renditions = await playableRenditions(database, playout)
    const { rendition: asked = bestOnDemand(renditions)?.id ?? null } = request.query
    const rendition =
      asked === null || renditions.some(({ id }) => id === asked)
        ? asked
        : ((await findSuccessors(database, [asked])).get(asked) ?? asked)
    const made = mp4DownloadOf(renditions, rendition)
    if (made === null && renditions.some(({ id, state }) => id === rendition && state === 'on_demand')) {
      const percent = await dependencies.onDemandDownloads.prepare(request.ip, rendition ?? 0)
      return sendPreparing(reply, percent)
    }
    if (made?.video != null) dependencies.watchNotes.note(made.video)
    return send(request, reply, playout, { made, extension: 'mp4', type: 'video/mp4' })
  }

  const m4a = async (request: PlayoutRequest, reply: FastifyReply) => {
    const playout = await playoutOf(request)
    const made = m4aDownloadOf(await playableRenditions(database, playout))
    return send(request, reply, playout, { made, extension: 'm4a', type: 'audio/mp4' })
  }

  const schema = playoutSchema()
  for (const base of dependencies.bases) {
    app.get(`${base}/download.mp4`, { schema: { ...schema, querystring: downloadQuery } }, mp4)
    app.get(`${base}/download.m4a`, { schema }, m4a)
  }
}
