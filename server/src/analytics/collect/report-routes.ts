import type { FastifyReply } from 'fastify'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { useAdmitOrigin } from '../../playback/access/admit-origin.ts'
import { fileOrPlaylist, findPlaylistPlayout } from '../../playback/access/find-playlist-playout.ts'
import { nothing } from '../../playback/access/find-playout.ts'
import { createPlayoutFinder } from '../../playback/access/playout-finder.ts'
import { playoutSchema, type PlayoutRequest } from '../../playback/access/playout-request.ts'
import type { PlayoutTokens } from '../../playback/access/playout-token.ts'
import { refusalOf, type LiveAccess } from '../../playback/live/live-access.ts'
import type { LivePlayers } from '../../playback/live/live-players.ts'
import { corsHeaders } from '../../playback/responses/send-media.ts'
import { createAdmissions } from './admissions.ts'
import type { Collector } from './collector.ts'
import { livePlayerOf } from './live-player-of.ts'
import type { ReportReader } from './report-reader.ts'

/** Players send at most a few lines of 200 bytes at a time. */
const maxReportBytes = 8_192

export interface ReportRoutesDependencies {
  readonly database: Database
  readonly tokens: PlayoutTokens
  readonly liveAccess: LiveAccess
  readonly publicUrl: string
  readonly reader: ReportReader
  /** Counts the viewers of live streams, also without analytics. */
  readonly livePlayers: LivePlayers
  /** Null = analytics is off. */
  readonly collector: Collector | null
}

/** `POST …/cmcd`: reports of players in event mode (CTA-5004-B), under the release rules of the playout. */
export const registerReportRoutes = (app: HttpServer, dependencies: ReportRoutesDependencies): void => {
  const { database, tokens, liveAccess, reader, livePlayers, collector } = dependencies
  const finder = createPlayoutFinder(database, tokens)
  const admitOrigin = useAdmitOrigin(app, dependencies.publicUrl)
  const admitted = createAdmissions<{ readonly allowedDomains: readonly string[] }>()
  app.addHook(
    'onRequest',
    directHook((_request, reply) => {
      reply.headers(corsHeaders)
    }),
  )
  // `application/cmcd`, and `text/plain` of `navigator.sendBeacon`, which needs no preflight.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxReportBytes }, (_request, body, done) =>
    done(null, body),
  )

  const senderOf = (request: PlayoutRequest) => ({
    request,
    address: request.ip,
    playoutId: request.params.playoutId,
    token: request.params.token ?? null,
  })

  const takeOfFile = async (request: PlayoutRequest, reply: FastifyReply) => {
    // Players stop reporting after 410.
    if (collector === null) throw new Problem('analytics_off', {}, { status: 410 })
    const asked = { playoutId: request.params.playoutId, token: request.params.token ?? null }
    const playout = await admitted(`/v/${asked.playoutId} ${asked.token ?? ''}`, () =>
      fileOrPlaylist<{ readonly allowedDomains: readonly string[] }>(
        () => finder.playout(asked),
        () => findPlaylistPlayout(database, tokens, asked),
      ),
    )
    admitOrigin(request, playout)
    if (!reader.isIgnored(request)) {
      const sender = senderOf(request)
      await collector.takeReports(sender, reader.read(request, sender.address, sender.playoutId))
    }
    return reply.code(204).send()
  }

  const takeOfLiveStream = async (request: PlayoutRequest, reply: FastifyReply) => {
    const { playoutId, token = null } = request.params
    const facts = await admitted(`/l/${playoutId} ${token ?? ''}`, async () => {
      const grant = liveAccess.grantOf(playoutId, token)
      const found = await liveAccess.factsOf(playoutId)
      const refusal = refusalOf(found, grant)
      if (found === null || refusal !== null) throw refusal ?? nothing()
      return found
    })
    admitOrigin(request, facts)
    if (!reader.isIgnored(request)) {
      const sender = senderOf(request)
      const reports = reader.read(request, sender.address, playoutId)
      // Do not count the preview of an operator as a viewer.
      if (liveAccess.grantOf(playoutId, token) !== 'preview')
        for (const report of reports)
          livePlayers.see(playoutId, livePlayerOf(request, sender.address, report))
      await collector?.takeReports(sender, reports)
    }
    return reply.code(204).send()
  }

  for (const prefix of ['', '/s/:token']) {
    const options = { schema: playoutSchema() }
    app.post(`${prefix}/v/:playoutId/cmcd`, options, takeOfFile)
    app.post(`${prefix}/l/:playoutId/cmcd`, options, takeOfLiveStream)
  }
}
