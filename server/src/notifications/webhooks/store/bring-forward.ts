import { sql } from 'kysely'
import type { Database, Queryable } from '../../../platform/db/database.ts'

const batchSize = 1_000

/**
 * Makes the next batch of waiting deliveries of a webhook due, in the order of their ids. Returns the id
 * after which the next batch starts, or null after the last one.
 * A delivery that no longer blocks its ordering key starts a new schedule and regains its place in the order.
 * A delivery that still blocks its ordering key keeps its schedule, because its next result releases the
 * deliveries after it.
 */
export const bringForward = async (
  queryable: Queryable,
  webhookId: number,
  afterId: number,
): Promise<number | null> => {
  const { rows } = await sql<{ id: number }>`
    update deliveries set
      state = 'pending',
      next_attempt_at = now(),
      schedule_start = case when blocks_lane then schedule_start else attempt_count end
    where id in (
      select id from deliveries
      where webhook_id = ${webhookId} and state = 'waiting' and id > ${afterId}
      order by id limit ${batchSize} for update
    )
    returning id`.execute(queryable)
  return rows.length < batchSize ? null : Math.max(...rows.map(({ id }) => id))
}

/**
 * Runs `bringForward` for all waiting deliveries, in short transactions: a long outage may leave very many.
 */
export const bringAllForward = async ({ kysely }: Database, webhookId: number): Promise<void> => {
  let afterId: number | null = 0
  while (afterId !== null) afterId = await bringForward(kysely, webhookId, afterId)
}
