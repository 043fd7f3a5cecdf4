import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { dropAbandonedStaging } from '../../ingest/uploads/cleanup/housekeeping.ts'
import { claimStagedBytes, stagingOwnerOf } from '../../ingest/uploads/store/staging-owner.ts'
import type { RunningRole } from '../roles/running-role.ts'
import type { ApiServices } from '../roles/services.ts'
import { buildApi } from './build-api.ts'

const sweepIntervalMs = 3_600_000

export const startApi = async (services: ApiServices): Promise<RunningRole & { readonly port: number }> => {
  const { config, database, stagings, linkKeys } = services
  await claimStagedBytes(database, stagings.disk, await stagingOwnerOf(config.dataFolder))
  const { app, readiness } = await buildApi(services)
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  linkKeys.follow()
  const sweep = setInterval(() => {
    dropAbandonedStaging(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'cannot clean up staged uploads'),
    )
  }, sweepIntervalMs)
  return {
    port,
    // Serves until load balancers have noticed. Then accepts no new connections and lets running requests finish. Closes the remaining connections after the
    // grace period.
    stop: async (graceMs) => {
      readiness.stop()
      // Clients of kept-alive connections open their next one at another node.
      if (config.stopDelaySeconds > 0)
        app.server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false))
      await delay(config.stopDelaySeconds * 1000)
      clearInterval(sweep)
      linkKeys.stop()
      const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await app.close()
      clearTimeout(cut)
    },
  }
}
