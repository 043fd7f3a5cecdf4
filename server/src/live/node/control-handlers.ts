import { Problem } from '../../platform/base/problem.ts'
import { noHealth } from '../control/nodes/live-status.ts'
import type { ControlHandler } from './control-server.ts'
import type { LiveDelivery } from './delivery/live-delivery.ts'
import { healthOf } from './health-of.ts'
import type { Broadcasts } from './broadcast/broadcasts.ts'
import type { Reconciliation } from './reconcile.ts'
import type { Recordings } from './outputs/recording/recordings.ts'

export interface ControlOptions {
  readonly nodeId: string
  readonly hasLease: () => boolean
  readonly broadcasts: Broadcasts
  readonly reconciliation: Reconciliation
  readonly delivery: LiveDelivery
  readonly recordings: Recordings
  readonly now: () => number
}

export const createControlHandlers = (options: ControlOptions): Readonly<Record<string, ControlHandler>> => {
  const { broadcasts, reconciliation, delivery, recordings } = options
  const broadcastFor = ({ ProjectId: projectId }: Parameters<ControlHandler>[0]) =>
    typeof projectId === 'number' ? broadcasts.of(projectId) : undefined
  return {
    who: async () => ({ NodeId: options.nodeId, HasLease: options.hasLease() }),
    sync: async ({ ProjectId: projectId }) => {
      if (typeof projectId === 'number' && Number.isSafeInteger(projectId))
        await reconciliation.syncOne(projectId)
      return {}
    },
    status: async (body) => {
      const broadcast = broadcastFor(body)
      if (broadcast === undefined) return noHealth
      return healthOf(broadcast, delivery.statsOf(broadcast.channel.playoutId), options.now())
    },
    clip: async (body) => {
      const broadcast = broadcastFor(body)
      const { Duration: durationSeconds, Title: title } = body
      if (broadcast === undefined) throw new Problem('not_live')
      if (typeof durationSeconds !== 'number' || typeof title !== 'string')
        throw new Problem('clip_request_incomplete')
      return { FileId: await recordings.clipLast(broadcast.channel, { durationSeconds, title }) }
    },
  }
}
