import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from './test-server.ts'
import type { Log } from '../../src/platform/log/log.ts'
import { startApi } from '../../src/app/api/start-api.ts'
import { addApiServices, buildServices } from '../../src/app/roles/services.ts'
import { findFreePort } from './free-port.ts'

export interface SecondNode {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Starts a second API server with the database and master key of the first, as in a cluster. It shares the
 * data folder unless `dataFolder` names another.
 */
export const startSecondNode = async (
  { services, dataFolder: sharedFolder }: TestServer,
  { dataFolder = sharedFolder, log = services.log }: { dataFolder?: string; log?: Log } = {},
): Promise<SecondNode> => {
  if (dataFolder !== sharedFolder)
    await copyFile(join(sharedFolder, 'master.key'), join(dataFolder, 'master.key'))
  const config = { ...services.config, dataFolder, port: await findFreePort() }
  const own = await buildServices(config, services.database.connection, log, { role: 'api' })
  const api = await startApi(await addApiServices(own))
  return {
    url: `http://127.0.0.1:${config.port}`,
    stop: async () => {
      await api.stop(1_000)
      await own.close()
    },
  }
}
