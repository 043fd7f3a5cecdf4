import { sql } from 'kysely'
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Database } from '../../platform/db/database.ts'
import { useAdmitOrigin } from '../../playback/access/admit-origin.ts'
import { nothing } from '../../playback/access/find-playout.ts'
import { createPlayoutFinder } from '../../playback/access/playout-finder.ts'
import { playoutSchema, type PlayoutRequest } from '../../playback/access/playout-request.ts'
import type { PlayoutTokens } from '../../playback/access/playout-token.ts'
import { corsHeaders, sendManifest } from '../../playback/responses/send-media.ts'
import { readHeat } from '../ask/file-figures.ts'
import { heatCurveOf } from './heat-curve.ts'

/** A curve of fewer views would show what single viewers watched. */
const leastViews = 10
const shownDays = 365
const keptMs = 600_000
const maxKept = 5_000
const dayMs = 86_400_000

interface Facts {
  readonly accountId: number
  readonly isShown: boolean
  readonly views: number
}

const readFacts = async ({ kysely }: Database, fileId: number, from: Date): Promise<Facts | null> => {
  const { rows } = await sql<Facts>`
    select f.account_id as "accountId", p.has_heat_map as "isShown", (
      select coalesce(sum(d.views), 0)::bigint from file_heat_days d
      where d.account_id = f.account_id and d.file_id = f.id and d.day >= ${from}::date
    ) as views
    from media_files f join projects p on p.id = f.project_id where f.id = ${fileId}`.execute(kysely)
  return rows[0] ?? null
}

/**
 * `GET …/heatmap.json`: how often each part of a file is played compared with its most played part, for the seek
 * bar of players. It never has numbers of views, and follows the release rules of the playout.
 */
export const registerHeatMapRoutes = (
  app: HttpServer,
  {
    database,
    tokens,
    publicUrl,
  }: { readonly database: Database; readonly tokens: PlayoutTokens; readonly publicUrl: string },
): void => {
  const finder = createPlayoutFinder(database, tokens)
  const admitOrigin = useAdmitOrigin(app, publicUrl)
  app.addHook(
    'onRequest',
    directHook((_request, reply) => {
      reply.headers(corsHeaders)
    }),
  )

  const readCurve = async (fileId: number): Promise<readonly number[] | null> => {
    const to = new Date(Date.now() + dayMs)
    const from = new Date(to.getTime() - shownDays * dayMs)
    const facts = await readFacts(database, fileId, from)
    if (facts === null || !facts.isShown) return null
    if (facts.views < leastViews) return []
    const file = { accountId: facts.accountId, fileId }
    return heatCurveOf(await readHeat(database.kysely, file, { from, to }))
  }
  const known = new LRUCache<number, Promise<readonly number[] | null>>({ max: maxKept, ttl: keptMs })
  const curveOf = (fileId: number): Promise<readonly number[] | null> => {
    const kept = known.get(fileId)
    if (kept !== undefined) return kept
    const reading = readCurve(fileId)
    known.set(fileId, reading)
    reading.catch(() => known.delete(fileId))
    return reading
  }

  const send = async (request: PlayoutRequest, reply: FastifyReply) => {
    const { playoutId, token } = request.params
    const playout = await finder.playout({ playoutId, token: token ?? null })
    admitOrigin(request, playout)
    const Parts = await curveOf(playout.fileId)
    if (Parts === null) throw nothing()
    return sendManifest(request, reply, {
      text: JSON.stringify({ Parts }),
      type: 'application/json; charset=utf-8',
    })
  }
  for (const prefix of ['', '/s/:token'])
    app.get(`${prefix}/v/:playoutId/heatmap.json`, { schema: playoutSchema() }, send)
}
