import { openDatabase, type ConnectionOptions } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openQueueToRequests } from '../../platform/db/row-level-security.ts'
import { installQueue, type InstalledQueue } from '../../platform/jobs/install-queue.ts'
import type { Log } from '../../platform/log/log.ts'
import { jobDefinitions } from './job-definitions.ts'

/**
 * Brings the tables and the job queue up to date, before any role starts. Only the owner of the database can.
 * The caller closes the queue.
 */
export const prepareDatabase = async (
  connection: ConnectionOptions,
  log: Log,
  onPending?: (pending: { readonly count: number; readonly isFirst: boolean }) => void,
): Promise<InstalledQueue> => {
  const database = openDatabase(connection, { maxConnections: 2 })
  try {
    const applied = await migrate(database, undefined, onPending)
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    const queue = await installQueue({ connection, definitions: jobDefinitions, log })
    await database.onOneConnection(openQueueToRequests)
    return queue
  } finally {
    await database.close()
  }
}
