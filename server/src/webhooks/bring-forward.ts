import { sql } from 'kysely'
import type { Database, Queryable } from '../kernel/db/database.ts'

const batchSize = 1_000

/**
 * Makes the next waiting deliveries of a webhook due, in the order of their ids. Answers where the next batch begins, or null after the last one.
 * What had failed so often that later events were let past begins a new schedule, so that it has its place in the order again; a delivery that
 * still blocks its lane keeps its schedule, because the deliveries behind it are released by its next result.
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

/** The same for all of them, in short transactions: after a long outage there may be very many. */
export const bringAllForward = async ({ kysely }: Database, webhookId: number): Promise<void> => {
  let afterId: number | null = 0
  while (afterId !== null) afterId = await bringForward(kysely, webhookId, afterId)
}
