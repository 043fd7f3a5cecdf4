import { Problem } from '../../platform/base/problem.ts'
import { noHealth } from '../control/nodes/live-status.ts'
import type { ControlHandler } from './control-server.ts'
import type { LiveDelivery } from './delivery/live-delivery.ts'
import { healthOf } from './health-of.ts'
import type { LiveSessions } from './broadcast/live-sessions.ts'
import type { Reconciliation } from './reconcile.ts'
import type { Recordings } from './outputs/recording/recordings.ts'

export interface ControlOptions {
  readonly nodeId: string
  readonly sessions: LiveSessions
  readonly reconciliation: Reconciliation
  readonly delivery: LiveDelivery
  readonly recordings: Recordings
  readonly now: () => number
}

export const createControlHandlers = (options: ControlOptions): Readonly<Record<string, ControlHandler>> => {
  const { sessions, reconciliation, delivery, recordings } = options
  const sessionOf = ({ ProjectId: projectId }: Parameters<ControlHandler>[0]) =>
    typeof projectId === 'number' ? sessions.of(projectId) : undefined
  return {
    who: async () => ({ NodeId: options.nodeId }),
    sync: async ({ ProjectId: projectId }) => {
      if (typeof projectId === 'number' && Number.isSafeInteger(projectId))
        await reconciliation.syncOne(projectId)
      return {}
    },
    status: async (body) => {
      const session = sessionOf(body)
      if (session === undefined) return noHealth
      return healthOf(session, delivery.statsOf(session.channel.playoutId), options.now())
    },
    clip: async (body) => {
      const session = sessionOf(body)
      const { Duration: durationSeconds, Title: title } = body
      if (session === undefined) throw new Problem('not_live')
      if (typeof durationSeconds !== 'number' || typeof title !== 'string')
        throw new Problem('clip_request_incomplete')
      return { FileId: await recordings.clipLast(session.channel, { durationSeconds, title }) }
    },
  }
}
