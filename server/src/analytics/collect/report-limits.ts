import { LRUCache } from 'lru-cache'
import { networkOf } from '../../platform/http/limits/refusals.ts'

interface Bucket {
  tokens: number
  atMs: number
}

/** Many viewers share an address, such as those of a school. */
const perNetwork = { perSecond: 50, burst: 500 }
const perSession = { perSecond: 2, burst: 20 }
/** Sessions are cheap to invent, so an address may begin only some. */
const newSessions = { perSecond: 2, burst: 200 }
const maxKept = 50_000

export interface ReportLimits {
  readonly admitsNetwork: (address: string) => boolean
  /** `session` includes the playout. */
  readonly admitsSession: (address: string, session: string) => boolean
}

export const createReportLimits = (now: () => number = Date.now): ReportLimits => {
  const networks = new LRUCache<string, Bucket>({ max: maxKept })
  const starts = new LRUCache<string, Bucket>({ max: maxKept })
  const sessions = new LRUCache<string, Bucket>({ max: maxKept })
  const take = (
    buckets: LRUCache<string, Bucket>,
    key: string,
    { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
  ): boolean => {
    const nowMs = now()
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs }
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * perSecond)
    bucket.atMs = nowMs
    buckets.set(key, bucket)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }
  return {
    admitsNetwork: (address) => take(networks, networkOf(address), perNetwork),
    admitsSession: (address, session) =>
      (sessions.has(session) || take(starts, networkOf(address), newSessions)) &&
      take(sessions, session, perSession),
  }
}
