import { setTimeout as delay } from 'node:timers/promises'
import type { Claimed } from './claim-stream.ts'
import type { Dvr } from './dvr/create-dvr.ts'
import type { LiveChannels } from './live-channel.ts'
import { LiveSession, type LiveSessionOptions } from './live-session.ts'
import type { HealthTotals } from './stream-health.ts'
import { createLiveWarnings, type LiveWarnings } from './live-warnings.ts'

export interface LiveSessions extends LiveChannels {
  /** The broadcast of a project that goes on here, or whose end is still being written. */
  readonly of: (projectId: number) => LiveSession | undefined
  readonly all: () => readonly LiveSession[]
  /** Begins a broadcast here, or goes on with it. Asked twice, it is the same. */
  readonly open: (claimed: Claimed) => Promise<LiveSession>
  /** Streams whose last broadcast is so long over that nobody loads its end any more; each is told once. */
  readonly takeForgotten: () => readonly number[]
  /** Of all broadcasts since the node began, those that are over included. */
  readonly totals: () => HealthTotals
  readonly shutdown: (graceMs: number) => Promise<void>
}

/** Viewers who are behind, and those who have not heard of the end, go on for a while. */
const lingerMs = (session: LiveSession): number =>
  Math.min(600_000, Math.max(30_000, session.stream.timeshift_seconds * 1_000))

export interface LiveSessionsOptions extends Pick<
  LiveSessionOptions,
  'store' | 'createParts' | 'log' | 'now'
> {
  readonly createDvr: (claimed: Claimed, warnings: LiveWarnings) => Promise<Dvr>
}

/** The broadcasts of this node. */
export const createLiveSessions = (options: LiveSessionsOptions): LiveSessions => {
  const sessions = new Map<number, LiveSession>()
  const opening = new Map<number, Promise<LiveSession>>()
  /** The last one of each stream, also when it is over. */
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
