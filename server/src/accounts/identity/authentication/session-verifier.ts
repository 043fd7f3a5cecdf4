import { LRUCache } from 'lru-cache'
import { unauthorized } from '../../../platform/http/requests/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import { hashToken } from '../../../platform/base/ids.ts'
import { readLiveSession, type LiveSession } from './live-session.ts'

/** As for API keys, removed rights must end on every node within two seconds. */
const recheckMs = 1_500
const lastUsedResolutionMs = 60_000

interface KnownSession {
  readonly session: LiveSession
  readonly goodUntilMs: number
  lastUsedWrittenAtMs: number
}

/** A `use` extends an idle session; a `look` only checks whether it is valid. */
export type SessionUse = 'use' | 'look'

export interface SessionVerifier {
  /** Throws 'unauthorized' for a session that has ended. */
  readonly verify: (token: string, use: SessionUse) => Promise<LiveSession>
  readonly known: (token: string, use: SessionUse) => LiveSession | null
  /** Drops all cached sessions of a user in this process; other processes check again within two seconds. */
  readonly evictUser: (userId: number) => void
}

export const createSessionVerifier = (
  database: Database,
  { idleMs }: { readonly idleMs: number },
): SessionVerifier => {
  const cache = new LRUCache<string, KnownSession>({ max: 10_000 })

  /** One write a minute is accurate enough for the idle limit. */
  const touch = (known: KnownSession, nowMs: number): void => {
    if (nowMs - known.lastUsedWrittenAtMs < lastUsedResolutionMs) return
    const before = known.lastUsedWrittenAtMs
    known.lastUsedWrittenAtMs = nowMs
    database.kysely
      .updateTable('sessions')
      .set({ last_used_at: new Date(nowMs) })
      .where('account_id', '=', known.session.accountId)
      .where('uuid', '=', known.session.sessionId)
      .execute()
      // The next use makes up for a failed write.
      .catch(() => {
        known.lastUsedWrittenAtMs = before
      })
  }

  return {
    known: (token, use) => {
      const nowMs = Date.now()
      const entry = cache.get(token)
      if (entry === undefined || nowMs >= entry.goodUntilMs) return null
      if (use === 'use') touch(entry, nowMs)
      return entry.session
    },
    verify: async (token, use) => {
      const nowMs = Date.now()
      const entry = cache.get(token)
      const session = await readLiveSession(database.kysely, { tokenHash: hashToken(token) })
      const usedAtMs = Math.max(session?.lastUsedAt.getTime() ?? 0, entry?.lastUsedWrittenAtMs ?? 0)
      if (session === null || nowMs - usedAtMs > idleMs) {
        cache.delete(token)
        throw unauthorized('not_signed_in')
      }
      const known: KnownSession = {
        session,
        goodUntilMs: Math.min(nowMs + recheckMs, session.endsAt.getTime(), usedAtMs + idleMs),
        lastUsedWrittenAtMs: usedAtMs,
      }
      cache.set(token, known)
      if (use === 'use') touch(known, nowMs)
      return session
    },
    evictUser: (userId) => {
      for (const [token, { session }] of cache.entries()) if (session.userId === userId) cache.delete(token)
    },
  }
}
