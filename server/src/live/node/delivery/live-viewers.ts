import type { IncomingMessage } from 'node:http'
import { createViewerKeys } from '../../../playback/live/edge-viewers.ts'
import type { NamedPlayer } from '../../../playback/live/live-players.ts'
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
  /** Counts a player that reports by itself, as those of earlier releases do. */
  readonly onBeacon: (playoutId: string, request: IncomingMessage, beacon: Beacon) => void
  /** Counts the players whose reports an api process passes on. */
  readonly onPlayers: (playoutId: string, players: readonly NamedPlayer[]) => void
  readonly statsOf: (playoutId: string) => ViewerStats
  readonly sweep: () => void
}

/** A viewer without a playlist request for this long has left. */
const viewerMs = 30_000
/** Players report every 30 seconds. */
const sessionMs = 45_000
const latencyWindowMs = 60_000
/** Limits the memory that untrusted clients can fill; beyond these limits, the figures are slightly low. */
const maxAddresses = 50_000
const maxSessionsPerAddress = 500
const maxLatencies = 2_000

/** One address and user agent. It may stand for many viewers, whom the sessions of their players distinguish. */
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

  const dropGoneAddresses = ({ addresses }: Audience): void => {
    for (const [key, { seenAtMs, sessions }] of addresses) {
      if (seenAtMs < now() - viewerMs) addresses.delete(key)
      else if (sessions !== null)
        for (const [session, atMs] of sessions) if (atMs < now() - sessionMs) sessions.delete(session)
    }
  }

  const onPlayer = (playoutId: string, [key, session, latencyMs, isPlaying]: NamedPlayer): void => {
    const audience = audiences.get(playoutId)
    // A client that has loaded no playlist is not a viewer.
    const address = audience?.addresses.get(key)
    if (audience === undefined || address === undefined) return
    if (isPlaying === 0) return void address.sessions?.delete(session)
    address.sessions ??= new Map()
    const { sessions } = address
    if (!sessions.has(session) && sessions.size >= maxSessionsPerAddress) return
    sessions.set(session, now())
    if (latencyMs === null) return
    const { latencies } = audience
    const player = `${key} ${session}`
    if (!latencies.delete(player) && latencies.size >= maxLatencies)
      latencies.delete(latencies.keys().next().value ?? '')
    latencies.set(player, { atMs: now(), latencyMs })
  }

  return {
    onPlaylist: (playoutId, request) => see(playoutId, keyOf(request)),
    onNamed: (playoutId, names) => {
      for (const name of names.split(',')) see(playoutId, Number(name))
    },
    onBeacon: (playoutId, request, { session, latencyMs }) =>
      onPlayer(playoutId, [keyOf(request), session, latencyMs, 1]),
    onPlayers: (playoutId, players) => {
      for (const player of players) onPlayer(playoutId, player)
    },
    statsOf: (playoutId) => {
      const audience = audiences.get(playoutId)
      if (audience === undefined) return nobody
      dropGoneAddresses(audience)
      let viewers = 0
      for (const { sessions } of audience.addresses.values()) viewers += Math.max(1, sessions?.size ?? 0)
      dropOldLatencies(audience, now() - latencyWindowMs)
      const latencies = [...audience.latencies.values()]
        .map((latency) => latency.latencyMs)
        .sort((a, b) => a - b)
      return { viewers, latencyP50Ms: quantile(latencies, 0.5), latencyP95Ms: quantile(latencies, 0.95) }
    },
    sweep: () => {
      for (const [playoutId, audience] of audiences) {
        dropGoneAddresses(audience)
        dropOldLatencies(audience, now() - latencyWindowMs)
        if (audience.addresses.size === 0) audiences.delete(playoutId)
      }
    },
  }
}

/** Nearest-rank method. */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
