import { networkOf } from '../../platform/http/limits/refusals.ts'
import {
  createTokenBuckets,
  keepNewest,
  takeToken,
  type Bucket,
  type Rate,
} from '../../platform/http/limits/token-buckets.ts'
import type { SessionFacts } from './session-facts.ts'

/** Many viewers share an address, such as those of a school. */
const perNetwork: Rate = { perSecond: 50, burst: 500 }
const perSession: Rate = { perSecond: 2, burst: 20 }
/** Sessions are cheap to invent, so an address may begin only some. */
const newSessions: Rate = { perSecond: 2, burst: 200 }
const maxSessions = 100_000

/** A session that reports to this process. */
export interface KnownSession {
  /** What its last report told about the viewer; null before the first one. */
  facts: SessionFacts | null
}

export interface ReportLimits {
  readonly admitsNetwork: (address: string) => boolean
  /** `session` includes the playout. Returns null when the address or the session reports too often. */
  readonly admitSession: (address: string, session: string) => KnownSession | null
}

export const createReportLimits = (now: () => number = Date.now): ReportLimits => {
  const networks = createTokenBuckets(perNetwork, now)
  const starts = createTokenBuckets(newSessions, now)
  const sessions = new Map<string, Bucket & KnownSession>()
  return {
    admitsNetwork: (address) => networks.take(networkOf(address)),
    admitSession: (address, name) => {
      const known = sessions.get(name)
      if (known !== undefined) return takeToken(known, perSession, now()) ? known : null
      if (!starts.take(networkOf(address))) return null
      const session = { tokens: perSession.burst - 1, atMs: now(), facts: null }
      return keepNewest(sessions, name, session, maxSessions)
    },
  }
}
