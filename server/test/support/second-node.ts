import type { TestServer } from './test-server.ts'
import { startApi } from '../../src/roles/api.ts'
import { buildServices } from '../../src/roles/services.ts'
import { findFreePort } from './free-port.ts'

export interface SecondNode {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Another api on the database and the master key of this one, as in a cluster. */
export const startSecondNode = async ({ services }: TestServer): Promise<SecondNode> => {
  const config = { ...services.config, port: await findFreePort() }
  const own = await buildServices(config, services.database.connection, services.log, { isWorker: false })
  const api = await startApi(own)
  return {
    url: `http://127.0.0.1:${config.port}`,
    stop: async () => {
      await api.stop(1_000)
      await own.close()
    },
  }
}
