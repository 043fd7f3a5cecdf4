import { declareDead } from '../../live/node/cluster/declare-dead.ts'
import { openDatabase, type ConnectionOptions } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../config/config.ts'

/** Never rejects. If the report fails, the next live node detects the end by missing heartbeats. */
export const reportLiveEnd = async (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  connection: ConnectionOptions,
  supervisorId: string,
  log: Log,
): Promise<void> => {
  const database = openDatabase(connection, { maxConnections: 1 })
  try {
    await declareDead({ database, publicUrl }, supervisorId)
  } catch (error) {
    log.warn({ err: error }, 'cannot record the end of the live node in the database')
  } finally {
    await database.close()
  }
}
