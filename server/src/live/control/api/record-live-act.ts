import type { AuditAction } from '../../../accounts/audit/audit-action.ts'
import { actorOf, recordAct, type Act } from '../../../accounts/audit/record-act.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ownerOf, type LiveRequest } from './live-request.ts'

/** The subject is the live stream of a project, which has the id of the project. */
export const recordLiveAct = (
  tx: Tx,
  request: LiveRequest,
  action: AuditAction,
  records: Pick<Act, 'before' | 'after'> = {},
): Promise<void> =>
  recordAct(tx, actorOf(request), {
    action,
    subject: 'Live',
    subjectId: ownerOf(request).projectId,
    ...records,
  })
