import type { Queryable } from '../../../platform/db/database.ts'
import { toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { broadcastOf } from '../store/live-broadcasts.ts'
import { allTargets, targetStatus } from '../targets/live-targets.ts'
import type { LiveHealth, LiveStatus } from './live-status.ts'
import type { LiveStreamRow } from '../store/live-stream-store.ts'

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
