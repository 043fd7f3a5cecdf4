import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/base/ids.ts'

/** Longer than a minute, the longest interval at which Prometheus is usually set to scrape. */
const leaseSeconds = 90

export interface ReporterLease {
  /** Takes or extends the lease. Returns whether this process reports for the installation. */
  readonly take: () => Promise<boolean>
  readonly release: () => Promise<void>
}

/**
 * One of the scraped processes serves the metrics of the installation, so that sums over all nodes are
 * right.
 */
export const createReporterLease = ({ kysely }: Database): ReporterLease => {
  const nodeId = newId()
  const until = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`
  let isHeld = false
  return {
    take: async () => {
      const taken = await kysely
        .insertInto('metrics_reporter')
        .values({ node_id: nodeId, leased_until: until })
        .onConflict((conflict) =>
          conflict
            .column('is_only')
            .doUpdateSet({ node_id: nodeId, leased_until: until })
            .where((eb) =>
              eb.or([
                eb('metrics_reporter.node_id', '=', nodeId),
                eb('metrics_reporter.leased_until', '<', sql<Date>`now()`),
              ]),
            ),
        )
        .returning('node_id')
        .executeTakeFirst()
      isHeld = taken !== undefined
      return isHeld
    },
    release: async () => {
      if (!isHeld) return
      await kysely
        .updateTable('metrics_reporter')
        .set({ leased_until: sql<Date>`now()` })
        .where('node_id', '=', nodeId)
        .execute()
    },
  }
}
