import { sql } from 'kysely'
import type { JobDefinition } from '../../platform/jobs/job-definition.ts'
import type { ViewSender } from './send-views.ts'

export const eraseSentJob: JobDefinition<Record<string, never>> = {
  name: 'analytics.erase',
  retryLimit: 0,
  expireInSeconds: 3_600,
  isExclusive: true,
}
export const eraseSentCron = '40 * * * *'

type Column = 'file_id' | 'project_id'

interface Owner {
  readonly accountId: string
  readonly id: string
}

const stored = (column: Column): string =>
  `select distinct toString(account_id) as "accountId", toString(${column}) as id from views where ${column} is not null`

/** Which of these were purged. */
const findPurged = async ({ database }: ViewSender, column: Column, owners: readonly Owner[]) => {
  const exists =
    column === 'file_id'
      ? sql`select from media_files f where f.account_id = o."accountId" and f.id = o.id`
      : sql`select from projects p where p.account_id = o."accountId" and p.id = o.id and p.purged_at is null`
  const { rows } = await sql<{ accountId: number; ids: number[] }>`
    select o."accountId", array_agg(o.id) as ids
    from jsonb_to_recordset(${JSON.stringify(owners)}::jsonb) as o("accountId" bigint, id bigint)
    where not exists (${exists}) group by 1`.execute(database.kysely)
  return rows
}

/** Deletes the views of purged files and projects in ClickHouse. */
export const eraseSent = async (sender: ViewSender): Promise<void> => {
  const { clickHouse } = sender
  for (const column of ['file_id', 'project_id'] as const) {
    const owners = await clickHouse.query<Owner>(stored(column), {})
    for (const { accountId, ids } of await findPurged(sender, column, owners))
      await clickHouse.command(
        `delete from views where account_id = {account:UInt64} and ${column} in {ids:Array(UInt64)}`,
        { account: accountId, ids },
      )
  }
}
