import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { subscriptionsMatching } from '../../platform/outbox/domain-event.ts'
import { emitAll } from '../../platform/outbox/outbox.ts'
import { viewRecord, type ViewRow } from '../sessions/view-record.ts'

const event = 'view.ended'

interface Wish {
  readonly account_id: number
  /** Null = all projects of the account. */
  readonly project_id: number | null
}

const readWishes = async (tx: Tx, accountIds: readonly number[]): Promise<readonly Wish[]> => {
  const { rows } = await sql<Wish>`
    select distinct account_id, project_id from webhooks
    where account_id = any(${[...accountIds]}::bigint[]) and is_enabled and deleted_at is null
      and event_types && ${subscriptionsMatching(event)}::text[]`.execute(tx)
  return rows
}

/** Writes `view.ended` for the views of viewers, only where a webhook wants it: there are too many for the event log. */
export const announceViews = async (tx: Tx, ended: readonly ViewRow[]): Promise<void> => {
  const views = ended.filter(({ kind }) => kind === 'viewer')
  if (views.length === 0) return
  const wishes = await readWishes(tx, [...new Set(views.map(({ account_id }) => account_id))])
  const isWanted = ({ account_id, project_id }: ViewRow): boolean =>
    wishes.some(
      (wish) =>
        wish.account_id === account_id && (wish.project_id === null || wish.project_id === project_id),
    )
  await emitAll(
    tx,
    event,
    views.filter(isWanted).map((view) => ({
      accountId: view.account_id,
      projectId: view.project_id,
      fileId: view.file_id,
      sequence: 1,
      subject: 'View' as const,
      record: JSON.stringify(viewRecord(view)),
    })),
  )
}
