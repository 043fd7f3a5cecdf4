import { sealPlainHeaders } from '../../notifications/webhooks/store/custom-headers.ts'
import { openDatabase, type ConnectionOptions } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openQueueToRequests } from '../../platform/db/row-level-security.ts'
import { installQueue, type InstalledQueue } from '../../platform/jobs/install-queue.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../config/config.ts'
import { jobDefinitions } from './job-definitions.ts'
import { prepareProcessKeys } from './process-keys.ts'
import { addApiServices, buildServices, type ApiServices } from './services.ts'

/**
 * Brings the tables and the job queue up to date, before any role starts. Only the owner of the database can.
 * The caller closes the queue.
 */
export const prepareDatabase = async (
  connection: ConnectionOptions,
  log: Log,
  onPending?: (pending: { readonly count: number; readonly isFirst: boolean }) => void,
): Promise<InstalledQueue & { readonly applied: readonly string[] }> => {
  const database = openDatabase(connection, { maxConnections: 2 })
  try {
    const applied = await migrate(database, undefined, onPending)
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    const queue = await installQueue({ connection, definitions: jobDefinitions, log })
    await database.onOneConnection(openQueueToRequests)
    return { ...queue, applied }
  } finally {
    await database.close()
  }
}

/** Brings keys and stored secrets up to date, before any role starts. Requires the tables and the master key. */
export const prepareInstallation = async <T>(
  config: Config,
  connection: ConnectionOptions,
  log: Log,
  work: (services: ApiServices) => Promise<T>,
): Promise<T> => {
  const common = await buildServices(config, connection, log, { role: 'supervisor' })
  try {
    const services = await addApiServices(common)
    await prepareProcessKeys(services.database, services.secrets)
    await sealPlainHeaders(services.database, services.secrets.workers)
    return await work(services)
  } finally {
    await common.close()
  }
}
