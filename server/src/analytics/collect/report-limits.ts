import { networkOf } from '../../platform/http/limits/refusals.ts'
import type { SessionFacts } from './session-facts.ts'

interface Bucket {
  tokens: number
  atMs: number
}

interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** Many viewers share an address, such as those of a school. */
const perNetwork: Rate = { perSecond: 50, burst: 500 }
const perSession: Rate = { perSecond: 2, burst: 20 }
/** Sessions are cheap to invent, so an address may begin only some. */
const newSessions: Rate = { perSecond: 2, burst: 200 }
const maxNetworks = 50_000
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

const isTaken = (bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): boolean => {
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * perSecond)
  bucket.atMs = nowMs
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/** Drops the oldest entry of a full map. A list of the last use, as in an LRU cache, would cost more than the rest of the check. */
const keep = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): Value => {
  if (map.size >= max) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
  return value
}

export const createReportLimits = (now: () => number = Date.now): ReportLimits => {
  const networks = new Map<string, Bucket>()
  const starts = new Map<string, Bucket>()
  const sessions = new Map<string, Bucket & KnownSession>()
  const take = (buckets: Map<string, Bucket>, address: string, rate: Rate): boolean => {
    const network = networkOf(address)
    const nowMs = now()
    const bucket =
      buckets.get(network) ?? keep(buckets, network, { tokens: rate.burst, atMs: nowMs }, maxNetworks)
    return isTaken(bucket, rate, nowMs)
  }
  return {
    admitsNetwork: (address) => take(networks, address, perNetwork),
    admitSession: (address, name) => {
      const known = sessions.get(name)
      if (known !== undefined) return isTaken(known, perSession, now()) ? known : null
      if (!take(starts, address, newSessions)) return null
      return keep(sessions, name, { tokens: perSession.burst - 1, atMs: now(), facts: null }, maxSessions)
    },
  }
}
