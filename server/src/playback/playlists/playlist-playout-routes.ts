import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { blackVideo, silence, type Filler } from '@zoetrope/packager'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { Database } from '../../platform/db/database.ts'
import { findPlaylistPlayout, tokenPathOf, type PlaylistPlayout } from '../access/find-playlist-playout.ts'
import { nothing } from '../access/find-playout.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import { jsonFeed, mrssFeed } from './playlist-feeds.ts'
import { playlistMediaPlaylist, type PlaylistTrack } from './playlist-media.ts'
import { playlistMultivariant } from './playlist-multivariant.ts'
import { findLayout, isWithin, keepLayout, planStreamOf, readVariant } from './playlist-streams.ts'
import type { AdmitOrigin } from '../access/admit-origin.ts'
import type { PlayoutTokens } from '../access/playout-token.ts'
import { hlsType, immutable, sendManifest, sendMedia } from '../responses/send-media.ts'
import { offeredRenditions } from '../on-demand/offered-renditions.ts'
import type { VisibleElements } from '../access/visible-elements.ts'

export interface PlaylistPlayoutDependencies {
  readonly database: Database
  readonly tokens: PlayoutTokens
  readonly publicUrl: string
  readonly visibleElements: VisibleElements
  readonly admitOrigin: AdmitOrigin
  /** Media seconds that are encoded on demand for each project and day; 0 = no limit. */
  readonly onDemandSecondsPerDay: number
}

const playlistPlayoutOf = async (
  { database, tokens, admitOrigin }: PlaylistPlayoutDependencies,
  request: PlayoutRequest,
): Promise<PlaylistPlayout> => {
  const { playoutId, token } = request.params
  const playout = await findPlaylistPlayout(database, tokens, { playoutId, token: token ?? null })
  admitOrigin(request, playout)
  return playout
}

/**
 * Returns the URIs of the media playlists of one layout, relative to `main.m3u8`. The proof is in the query,
 * which nodes of the former release ignore: during an upgrade, they serve these URIs too.
 */
const trackUri =
  (fingerprint: string, proof: string | null) =>
  (track: string): string =>
    `list/${fingerprint}/${track}.m3u8${proof === null ? '' : `?proof=${proof}`}`

export const sendPlaylistStream = async (
  dependencies: PlaylistPlayoutDependencies,
  request: PlayoutRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { database, tokens } = dependencies
  const { token } = request.params
  const playout = await playlistPlayoutOf(dependencies, request)
  const stream = await planStreamOf(dependencies, playout, (renditions) =>
    offeredRenditions(database, renditions, dependencies.onDemandSecondsPerDay),
  )
  if (stream.elements.length === 0) throw nothing()
  const fingerprint = await keepLayout(database, playout, stream.layout)
  const proof = token === undefined ? null : tokens.layoutProof(token, fingerprint)
  return sendManifest(request, reply, {
    text: playlistMultivariant(stream, trackUri(fingerprint, proof)),
    type: hlsType,
  })
}

const trackOf = (name: string): PlaylistTrack => {
  if (name === 'audio') return { kind: 'audio' }
  if (!/^[0-9]$/.test(name)) throw nothing()
  return { kind: 'video', variant: Number(name) }
}

/** Returns silence or black video. Fillers belong to no account, so they need no access check. */
const fillerOf = (name: string): Filler => {
  if (name === 'black') return blackVideo
  const [, rate, channels] = /^silence-([1-9][0-9]{3,4})-([12])$/.exec(name) ?? []
  try {
    return silence(Number(rate), Number(channels))
  } catch {
    throw nothing()
  }
}

const maxFillerSeconds = 20

/** Registers the media playlists, fillers and feeds of playlists below `/v/<playoutId>/`. */
export const registerPlaylistPlayoutRoutes = (
  app: HttpServer,
  base: string,
  dependencies: PlaylistPlayoutDependencies,
): void => {
  const { database, tokens, publicUrl, visibleElements } = dependencies
  const proofQuery = Type.Object({ proof: Type.Optional(Type.Unknown()) })
  const ofTrack = { schema: { ...playoutSchema('fingerprint', 'track'), querystring: proofQuery } }

  app.get(`${base}/list/:fingerprint/:track.m3u8`, ofTrack, async (request, reply) => {
    const { fingerprint, token, track: trackName } = request.params
    const { proof } = request.query
    const track = trackOf(trackName)
    const playout = await playlistPlayoutOf(dependencies, request)
    const planned = await findLayout(database, playout, fingerprint)
    const isProven =
      token === undefined || (typeof proof === 'string' && tokens.isLayoutProof(proof, token, fingerprint))
    // A token opens a former layout only for the player that began with it.
    if (!isProven && !isWithin(planned, await visibleElements(playout))) throw nothing()
    if (track.kind === 'audio' ? planned.silence === null : track.variant >= planned.variantCount)
      throw nothing()
    // Audio follows the timing of the first video variant.
    const variant = track.kind === 'video' ? track.variant : 0
    const { layout, segments } = await readVariant(database, playout.playlist.account_id, planned, variant)
    const up = playout.grant === null ? '../../..' : '../../../../..'
    return sendManifest(request, reply, {
      text: playlistMediaPlaylist(layout, track, {
        segmentsOf: (id) => segments.get(id),
        elementBase: (playoutId) =>
          playout.grant === null
            ? `${up}/${playoutId}/`
            : `${up}${tokenPathOf(tokens, playout, playoutId).slice('/s'.length)}/v/${playoutId}/`,
        fillerBase: '../../fill/',
      }),
      type: hlsType,
    })
  })

  const sendFiller = (request: FastifyRequest, reply: FastifyReply, body: Buffer, name: string) =>
    sendMedia(request, reply, {
      body,
      type: name === 'black' ? 'video/mp4' : 'audio/mp4',
      cacheControl: immutable,
    })

  app.get(`${base}/fill/:filler/init.mp4`, { schema: playoutSchema('filler') }, async (request, reply) => {
    const { filler } = request.params
    return sendFiller(request, reply, fillerOf(filler).initSegment, filler)
  })

  const ofRange = { schema: playoutSchema('filler', 'range') }
  app.get(`${base}/fill/:filler/:range.m4s`, ofRange, async (request, reply) => {
    const { filler: name, range } = request.params
    const filler = fillerOf(name)
    const [, start, duration] = /^(0|[1-9][0-9]{0,14})-([1-9][0-9]{0,6})$/.exec(range) ?? []
    if (start === undefined || Number(duration) > maxFillerSeconds * filler.timescale) throw nothing()
    return sendFiller(request, reply, filler.segment(Number(start), Number(duration)), name)
  })

  for (const [path, type, render] of [
    ['feed.json', 'application/feed+json; charset=utf-8', jsonFeed],
    ['feed.xml', 'application/rss+xml; charset=utf-8', mrssFeed],
  ] as const)
    app.get(`${base}/${path}`, { schema: playoutSchema() }, async (request, reply) => {
      const playout = await playlistPlayoutOf(dependencies, request)
      const { token } = request.params
      const text = render({
        playlist: playout.playlist,
        elements: await visibleElements(playout),
        ownUrl: `${publicUrl}${token === undefined ? '' : `/s/${token}`}`,
        elementUrl: (playoutId) => `${publicUrl}${tokenPathOf(tokens, playout, playoutId)}`,
      })
      return sendManifest(request, reply, { text, type })
    })
}
