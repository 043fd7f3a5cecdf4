import { sql } from 'kysely'
import { createBatchLoader } from '../../platform/db/batch-loader.ts'
import type { Database } from '../../platform/db/database.ts'
import type { PlayerLogo } from '../../platform/db/tables/projects.ts'
import { Problem } from '../../platform/base/problem.ts'
import { isPlayoutId, nothing } from '../access/find-playout.ts'
import type { GrantedToken, PlayoutGrant, PlayoutTokens } from '../access/playout-token.ts'

export interface LiveStreamFacts {
  readonly title: string
  readonly boardText: string
  readonly endedText: string
  readonly hasPoster: boolean
  readonly state: 'offline' | 'connected' | 'online' | 'reconnecting'
  readonly isEnabled: boolean
  readonly isLowLatency: boolean
  readonly releaseStatus: string
  readonly needsToken: boolean
  /** Domains that may frame its page; empty = all. */
  readonly allowedDomains: readonly string[]
  readonly playerColor: string | null
  readonly playerLogo: PlayerLogo | null
  readonly onlineSince: Date | null
  /** Count of changes of the owner. */
  readonly epoch: number
  /** Live node that has the stream; null if it has written no heartbeat for ten seconds. */
  readonly node: LiveStreamNode | null
}

export interface LiveStreamNode {
  readonly id: string
  readonly url: string
  /** URL at which viewers reach the node directly; null = only through this server. */
  readonly publicUrl: string | null
}

/** Null for a viewer without a token. */
export type LiveGrant = PlayoutGrant | null

/**
 * Release rules of playout-finder.ts for live streams. Each LL-HLS part is a request, so one query serves all
 * requests for a stream within a second. A withdrawn stream therefore stays visible for at most that long.
 */
export interface LiveAccess {
  /** Null when the stream does not exist. */
  readonly factsOf: (playoutId: string) => LiveStreamFacts | null | Promise<LiveStreamFacts | null>
  /** Makes the next call of `factsOf` read the row again. */
  readonly refresh: (playoutId: string) => void
  /** Throws 'forbidden' when the token is invalid, expired or of another playout. */
  readonly grantOf: (playoutId: string, token: string | null) => LiveGrant
}

const validMs = 1_000
/** Refreshes a watched stream before its facts expire, so that no request waits. */
const refreshAfterMs = 700
const retryAfterMs = 1_000
const patienceMs = 2_000
/**
 * Broadcasts survive a database outage for this long. Streams cannot be withdrawn during an outage either.
 */
const graceMs = 60_000
const maxStreams = 10_000
const maxTokens = 50_000

const createQuestion = (database: Pick<Database, 'kysely'>) =>
  createBatchLoader<string, LiveStreamFacts>(async (playoutIds) => {
    const rows = await database.kysely
      .selectFrom('live_streams as s')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      .leftJoin('live_broadcasts as b', 'b.id', 's.broadcast_id')
      .leftJoin('live_nodes as n', (join) =>
        join.onRef('n.id', '=', 's.node_id').on(sql<boolean>`n.seen_at > now() - interval '10 seconds'`),
      )
      .select([
        's.playout_id',
        's.title',
        's.board_text',
        's.ended_text',
        sql<boolean>`exists (select from live_posters as lp where lp.project_id = s.project_id)`.as(
          'has_poster',
        ),
        's.state',
        's.is_enabled',
        's.is_low_latency',
        's.release_status',
        'p.token_security',
        'p.allowed_domains',
        'p.player_color',
        'p.player_logo',
        'b.online_at',
        's.epoch',
        'n.id as node_id',
        'n.url',
        'n.public_url',
      ])
      .where('s.playout_id', 'in', playoutIds)
      .where('p.deleted_at', 'is', null)
      .execute()
    return new Map(
      rows.map((row) => [
        row.playout_id,
        {
          title: row.title,
          boardText: row.board_text,
          endedText: row.ended_text,
          hasPoster: row.has_poster,
          state: row.state,
          isEnabled: row.is_enabled,
          isLowLatency: row.is_low_latency,
          releaseStatus: row.release_status,
          needsToken: row.token_security,
          allowedDomains: row.allowed_domains,
          playerColor: row.player_color,
          playerLogo: row.player_logo,
          onlineSince: row.online_at,
          epoch: row.epoch,
          node:
            row.node_id === null || row.url === null
              ? null
              : { id: row.node_id, url: row.url, publicUrl: row.public_url },
        },
      ]),
    )
  })

interface Known {
  facts: LiveStreamFacts | null | undefined
  /** Start time of the query that produced the facts. */
  askedAtMs: number
  askAgainAtMs: number
  hasFailed: boolean
  asking: Promise<LiveStreamFacts | null> | null
}

export const createLiveAccess = (
  database: Pick<Database, 'kysely'>,
  tokens: PlayoutTokens,
  /** A clock that is never set: a node that is found once would otherwise count as current for hours. */
  now: () => number = () => performance.now(),
): LiveAccess => {
  const ask = createQuestion(database)
  const streams = new Map<string, Known>()
  const grants = new Map<string, GrantedToken>()

  const refresh = async (playoutId: string, known: Known): Promise<LiveStreamFacts | null> => {
    const askedAtMs = now()
    try {
      known.facts = await inTime(ask(playoutId))
      known.askedAtMs = askedAtMs
      known.askAgainAtMs = askedAtMs + refreshAfterMs
      known.hasFailed = false
    } catch (error) {
      known.askAgainAtMs = now() + retryAfterMs
      known.hasFailed = true
      if (known.facts === undefined || now() - known.askedAtMs > graceMs) throw error
    } finally {
      known.asking = null
    }
    return known.facts
  }

  const knownOf = (playoutId: string): Known => {
    const known = streams.get(playoutId)
    if (known !== undefined) return known
    // Made-up ids must not fill the memory.
    if (streams.size >= maxStreams) streams.delete(streams.keys().next().value ?? '')
    const fresh: Known = {
      facts: undefined,
      askedAtMs: -Infinity,
      askAgainAtMs: -Infinity,
      hasFailed: false,
      asking: null,
    }
    streams.set(playoutId, fresh)
    return fresh
  }

  return {
    factsOf: (playoutId) => {
      if (!isPlayoutId(playoutId)) return null
      const known = knownOf(playoutId)
      const nowMs = now()
      const ageMs = nowMs - known.askedAtMs
      const isUsable = ageMs < (known.hasFailed ? graceMs : validMs)
      if (known.asking === null && (!isUsable || nowMs >= known.askAgainAtMs)) {
        known.asking = refresh(playoutId, known)
        // Avoids an unhandled rejection, because no request may be waiting.
        known.asking.catch(() => {})
      }
      return isUsable && known.facts !== undefined ? known.facts : (known.asking ?? null)
    },
    refresh: (playoutId) => {
      const known = streams.get(playoutId)
      if (known !== undefined) known.askedAtMs = Math.min(known.askedAtMs, now() - validMs)
    },
    grantOf: (playoutId, token) => {
      if (token === null) return null
      const key = `${playoutId} ${token}`
      const granted = grants.get(key)
      if (granted !== undefined && granted.expiresAt.getTime() > Date.now() && tokens.isStillValid(token))
        return granted.kind
      grants.delete(key)
      const checked = tokens.check(token, playoutId)
      if (checked === null) throw new Problem('signed_link_invalid')
      if (grants.size >= maxTokens) grants.clear()
      grants.set(key, checked)
      return checked.kind
    },
  }
}

/** Returns the reason why a viewer may not watch the stream, or null. */
export const refusalOf = (facts: LiveStreamFacts | null, grant: LiveGrant): Problem | null => {
  if (facts === null || !facts.isEnabled) return nothing()
  if (grant === 'preview') return null
  if (facts.releaseStatus !== 'published') return nothing()
  if (facts.needsToken && grant === null) return new Problem('signed_link_required')
  return null
}

const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Problem('database_unavailable', {}, { headers: { 'Retry-After': '2' } })),
    patienceMs,
  )
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
