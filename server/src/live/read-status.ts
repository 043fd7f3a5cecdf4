import type { Queryable } from '../kernel/db/database.ts'
import { toTimestampOrNull } from '../kernel/timestamp.ts'
import { broadcastOf } from './live-broadcasts.ts'
import { allTargets, targetStatus } from './live-targets.ts'
import type { LiveHealth, LiveStatus } from './live-status.ts'
import type { LiveStreamRow } from './live-stream-store.ts'

export const readStatus = async (
  queryable: Queryable,
  stream: LiveStreamRow,
  health: LiveHealth,
): Promise<LiveStatus> => {
  const broadcast = await broadcastOf(queryable, stream)
  const targets = await allTargets(queryable, { accountId: stream.account_id, projectId: stream.project_id })
  return {
    ProjectId: stream.project_id,
    State: stream.state,
    OnlineSince: toTimestampOrNull(broadcast?.online_at ?? null),
    ...health,
    Targets: targets.map(targetStatus),
    NodeId: stream.node_id,
  }
}
