import type { IncomingMessage } from 'node:http'
import { createViewerKeys } from '../../../playback/live/edge-viewers.ts'
import type { Beacon } from './read-beacon.ts'
import type { WhoAsks } from './who-asks.ts'

export interface ViewerStats {
  readonly viewers: number
  /** Glass-to-glass latency that players reported in the last minute; null without reports. */
  readonly latencyP50Ms: number | null
  readonly latencyP95Ms: number | null
}

export interface LiveViewers {
  readonly onPlaylist: (playoutId: string, request: IncomingMessage) => void
  /** Counts the viewers that an api node names. */
  readonly onNamed: (playoutId: string, names: string) => void
  readonly onBeacon: (playoutId: string, request: IncomingMessage, beacon: Beacon) => void
  readonly statsOf: (playoutId: string) => ViewerStats
  readonly sweep: () => void
}

/** A viewer without a playlist request for this long has left. */
const viewerMs = 30_000
const latencyMs = 60_000
/** Limits the memory that untrusted clients can fill; beyond these limits, the figures are slightly low. */
const maxAddresses = 50_000
const maxSessionsPerAddress = 500
const maxLatencies = 2_000

/** One address and user agent. It may stand for many viewers, which their beacon sessions distinguish. */
interface Address {
  seenAtMs: number
  sessions: Map<string, number> | null
}

interface Audience {
  readonly addresses: Map<number, Address>
  /** Last report of each session, oldest first. */
  readonly latencies: Map<string, { readonly atMs: number; readonly latencyMs: number }>
}

const nobody: ViewerStats = { viewers: 0, latencyP50Ms: null, latencyP95Ms: null }

export const createLiveViewers = (
  now: () => number,
  { sourceOf }: Pick<WhoAsks, 'sourceOf'>,
  nodeToken: string,
): LiveViewers => {
  const audiences = new Map<string, Audience>()
  const viewerKey = createViewerKeys(nodeToken)

  const audienceOf = (playoutId: string): Audience => {
    const known = audiences.get(playoutId)
    if (known !== undefined) return known
    const audience: Audience = { addresses: new Map(), latencies: new Map() }
    audiences.set(playoutId, audience)
    return audience
  }

  const keyOf = (request: IncomingMessage): number =>
    viewerKey(sourceOf(request), request.headers['user-agent'])

  const see = (playoutId: string, key: number): void => {
    const { addresses } = audienceOf(playoutId)
    const address = addresses.get(key)
    if (address !== undefined) address.seenAtMs = now()
    else if (addresses.size < maxAddresses) addresses.set(key, { seenAtMs: now(), sessions: null })
  }

  const dropOldLatencies = ({ latencies }: Audience, beforeMs: number): void => {
    for (const [session, { atMs }] of latencies) {
      if (atMs >= beforeMs) return
      latencies.delete(session)
    }
  }

  const dropGoneAddresses = ({ addresses }: Audience, beforeMs: number): void => {
    for (const [key, { seenAtMs, sessions }] of addresses) {
      if (seenAtMs < beforeMs) addresses.delete(key)
      else if (sessions !== null)
        for (const [session, atMs] of sessions) if (atMs < beforeMs) sessions.delete(session)
    }
  }

  return {
    onPlaylist: (playoutId, request) => see(playoutId, keyOf(request)),
    onNamed: (playoutId, names) => {
      for (const name of names.split(',')) see(playoutId, Number(name))
    },
    onBeacon: (playoutId, request, beacon) => {
      const audience = audiences.get(playoutId)
      // A client that has loaded no playlist is not a viewer.
      const key = keyOf(request)
      const address = audience?.addresses.get(key)
      if (audience === undefined || address === undefined) return
      const atMs = now()
      address.sessions ??= new Map()
      const { sessions } = address
      if (!sessions.has(beacon.session) && sessions.size >= maxSessionsPerAddress) return
      sessions.set(beacon.session, atMs)
      if (beacon.latencyMs === null) return
      const { latencies } = audience
      const player = `${key} ${beacon.session}`
      if (!latencies.delete(player) && latencies.size >= maxLatencies)
        latencies.delete(latencies.keys().next().value ?? '')
      latencies.set(player, { atMs, latencyMs: beacon.latencyMs })
    },
    statsOf: (playoutId) => {
      const audience = audiences.get(playoutId)
      if (audience === undefined) return nobody
      dropGoneAddresses(audience, now() - viewerMs)
      let viewers = 0
      for (const { sessions } of audience.addresses.values()) viewers += Math.max(1, sessions?.size ?? 0)
      dropOldLatencies(audience, now() - latencyMs)
      const latencies = [...audience.latencies.values()]
        .map((latency) => latency.latencyMs)
        .sort((a, b) => a - b)
      return { viewers, latencyP50Ms: quantile(latencies, 0.5), latencyP95Ms: quantile(latencies, 0.95) }
    },
    sweep: () => {
      for (const [playoutId, audience] of audiences) {
        dropGoneAddresses(audience, now() - viewerMs)
        dropOldLatencies(audience, now() - latencyMs)
        if (audience.addresses.size === 0) audiences.delete(playoutId)
      }
    },
  }
}

/** Nearest-rank method. */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
