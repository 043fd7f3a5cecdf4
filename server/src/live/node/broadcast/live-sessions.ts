import { setTimeout as delay } from 'node:timers/promises'
import type { Claimed } from '../cluster/claim-stream.ts'
import type { Dvr } from '../outputs/dvr/create-dvr.ts'
import type { LiveChannels } from '../channel/live-channel.ts'
import { LiveSession, type LiveSessionOptions } from './live-session.ts'
import type { HealthTotals } from '../health/stream-health.ts'
import { createLiveWarnings, type LiveWarnings } from '../health/live-warnings.ts'

export interface LiveSessions extends LiveChannels {
  /** Broadcast of a project that runs here, or whose end is still being written. */
  readonly of: (projectId: number) => LiveSession | undefined
  readonly all: () => readonly LiveSession[]
  /** Begins or resumes a broadcast here. Repeated calls return the same one. */
  readonly open: (claimed: Claimed) => Promise<LiveSession>
  /**
   * Returns the streams whose last broadcast ended so long ago that viewers no longer load its end; each only
   * once.
   */
  readonly takeForgotten: () => readonly number[]
  /** Totals of all broadcasts since the node started, including ended ones. */
  readonly totals: () => HealthTotals
  readonly shutdown: (graceMs: number) => Promise<void>
}

/** Viewers behind live, and those that have not loaded the end yet, may continue for this long. */
const lingerMs = (session: LiveSession): number =>
  Math.min(600_000, Math.max(30_000, session.stream.timeshift_seconds * 1_000))

export interface LiveSessionsOptions extends Pick<
  LiveSessionOptions,
  'store' | 'createParts' | 'log' | 'now'
> {
  readonly createDvr: (claimed: Claimed, warnings: LiveWarnings) => Promise<Dvr>
}

export const createLiveSessions = (options: LiveSessionsOptions): LiveSessions => {
  const sessions = new Map<number, LiveSession>()
  const opening = new Map<number, Promise<LiveSession>>()
  /** Last broadcast of each stream, even when it has ended. */
  const shown = new Map<string, { readonly session: LiveSession; forgetAtMs: number }>()

  let over: HealthTotals = { receivedBytes: 0, droppedFrames: 0 }

  const begin = async (claimed: Claimed): Promise<LiveSession> => {
    const { stream, broadcast } = claimed
    const log = options.log.child({ projectId: stream.project_id, broadcastId: broadcast.id })
    const warnings = createLiveWarnings(options.now)
    const dvr = await options.createDvr(claimed, warnings)
    const session = new LiveSession({ ...options, log, stream, broadcast, dvr, warnings })
    const shownOne = { session, forgetAtMs: Infinity }
    sessions.set(stream.project_id, session)
    shown.set(stream.playout_id, shownOne)
    void session.done.then(() => {
      const isShown = session.channel.packager.targets !== undefined
      shownOne.forgetAtMs = isShown ? options.now() + lingerMs(session) : 0
      if (sessions.get(stream.project_id) === session) sessions.delete(stream.project_id)
      over = sumOf(over, session.health.totals)
    })
    return session
  }

  return {
    find: (playoutId) => {
      const channel = shown.get(playoutId)?.session.channel
      return channel?.packager.targets === undefined ? undefined : channel
    },
    of: (projectId) => sessions.get(projectId),
    all: () => [...sessions.values()],
    open: async (claimed) => {
      const { project_id: projectId } = claimed.stream
      const present = sessions.get(projectId) ?? opening.get(projectId)
      if (present !== undefined) return present
      const begun = begin(claimed)
      opening.set(projectId, begun)
      return begun.finally(() => opening.delete(projectId))
    },
    totals: () => [...sessions.values()].reduce((sum, { health }) => sumOf(sum, health.totals), over),
    takeForgotten: () => {
      const forgotten = [...shown].filter(([, { forgetAtMs }]) => forgetAtMs <= options.now())
      for (const [playoutId] of forgotten) shown.delete(playoutId)
      return forgotten.map(([, { session }]) => session.stream.project_id)
    },
    shutdown: async (graceMs) => {
      const running = [...sessions.values()]
      for (const session of running) session.shutdown()
      const isOver = Promise.all(running.map(({ done }) => done))
      const cut = delay(graceMs, null, { ref: false }).then(() => {
        for (const session of running) session.hurry()
      })
      await Promise.race([isOver, cut])
    },
  }
}

const sumOf = (one: HealthTotals, other: HealthTotals): HealthTotals => ({
  receivedBytes: one.receivedBytes + other.receivedBytes,
  droppedFrames: one.droppedFrames + other.droppedFrames,
})
