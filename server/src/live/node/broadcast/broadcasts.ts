import { setTimeout as delay } from 'node:timers/promises'
import type { Claimed } from '../cluster/claim-stream.ts'
import type { LiveChannels } from '../channel/live-channel.ts'
import { Broadcast, type BroadcastOptions } from './broadcast.ts'
import type { HealthTotals } from '../health/stream-health.ts'
import { createLiveWarnings, type LiveWarnings } from '../health/live-warnings.ts'

export interface Broadcasts extends LiveChannels {
  /** Broadcast of a project that runs here, or whose end is still being written. */
  readonly of: (projectId: number) => Broadcast | undefined
  readonly all: () => readonly Broadcast[]
  /** Begins or resumes a broadcast here. Repeated calls return the same one. */
  readonly open: (claimed: Claimed) => Promise<Broadcast>
  /**
   * Returns the streams whose last broadcast ended so long ago that viewers no longer load its end; each only
   * once.
   */
  readonly takeExpired: () => readonly number[]
  readonly totals: () => HealthTotals
  readonly shutdown: (graceMs: number) => Promise<void>
}

/** Viewers behind live, and those that have not loaded the end yet, may continue for this long. */
const lingerMs = (broadcast: Broadcast): number =>
  Math.min(600_000, Math.max(30_000, broadcast.stream.timeshift_seconds * 1_000))

export interface BroadcastsOptions extends Pick<
  BroadcastOptions,
  'store' | 'createOutputs' | 'checkOwnership' | 'log' | 'now'
> {
  /** Reads what an earlier owner of the stream has left. */
  readonly prepare: (
    claimed: Claimed,
    warnings: LiveWarnings,
  ) => Promise<Pick<BroadcastOptions, 'dvr' | 'left'>>
}

export const createBroadcasts = (options: BroadcastsOptions): Broadcasts => {
  const broadcasts = new Map<number, Broadcast>()
  const opening = new Map<number, Promise<Broadcast>>()
  /** Last broadcast of each stream, even when it has ended. */
  const shown = new Map<string, { readonly broadcast: Broadcast; expiresAtMs: number }>()

  /** Broadcasts whose outputs have not stopped yet. */
  const finishing = new Set<Broadcast>()
  let over: HealthTotals = { receivedBytes: 0, droppedFrames: 0 }

  const begin = async (claimed: Claimed): Promise<Broadcast> => {
    const { stream, broadcast: row } = claimed
    const log = options.log.child({ projectId: stream.project_id, broadcastId: row.id })
    const warnings = createLiveWarnings(options.now)
    const prepared = await options.prepare(claimed, warnings)
    const broadcast = new Broadcast({ ...options, ...prepared, log, stream, row, warnings })
    const shownOne = { broadcast, expiresAtMs: Infinity }
    broadcasts.set(stream.project_id, broadcast)
    shown.set(stream.playout_id, shownOne)
    finishing.add(broadcast)
    void broadcast.outputsStopped.then(() => finishing.delete(broadcast))
    void broadcast.done.then(() => {
      const isShown = broadcast.channel.packager.targets !== undefined
      shownOne.expiresAtMs = isShown ? options.now() + lingerMs(broadcast) : 0
      if (broadcasts.get(stream.project_id) === broadcast) broadcasts.delete(stream.project_id)
      over = sumOf(over, broadcast.health.totals)
    })
    return broadcast
  }

  return {
    find: (playoutId) => {
      const broadcast = shown.get(playoutId)?.broadcast
      // Its playlists end before those of the owner, and the stream may be about to come back here.
      if (broadcast === undefined || broadcast.hasYielded) return undefined
      const { channel } = broadcast
      return channel.packager.targets === undefined ? undefined : channel
    },
    of: (projectId) => broadcasts.get(projectId),
    all: () => [...broadcasts.values()],
    open: async (claimed) => {
      const { project_id: projectId } = claimed.stream
      const present = broadcasts.get(projectId) ?? (await opening.get(projectId)?.catch(() => undefined))
      if (present !== undefined && present.epoch >= claimed.stream.epoch) return present
      // It was resumed for an earlier owner of the stream while the publisher claimed it.
      present?.yieldToOwner()
      await present?.done
      const other = opening.get(projectId)
      if (other !== undefined) return other
      const begun = begin(claimed)
      opening.set(projectId, begun)
      return begun.finally(() => opening.delete(projectId))
    },
    totals: () => [...broadcasts.values()].reduce((sum, { health }) => sumOf(sum, health.totals), over),
    takeExpired: () => {
      const expired = [...shown].filter(([, { expiresAtMs }]) => expiresAtMs <= options.now())
      for (const [playoutId] of expired) shown.delete(playoutId)
      return expired.map(([, { broadcast }]) => broadcast.stream.project_id)
    },
    shutdown: async (graceMs) => {
      const running = [...broadcasts.values()]
      for (const broadcast of running) broadcast.shutdown()
      const isOver = Promise.all([...finishing].map(({ outputsStopped }) => outputsStopped))
      const cut = delay(graceMs, null, { ref: false }).then(() => {
        for (const broadcast of running) broadcast.stopRetrying()
      })
      await Promise.race([isOver, cut])
    },
  }
}

const sumOf = (one: HealthTotals, other: HealthTotals): HealthTotals => ({
  receivedBytes: one.receivedBytes + other.receivedBytes,
  droppedFrames: one.droppedFrames + other.droppedFrames,
})
