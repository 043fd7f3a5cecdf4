import { setTimeout as delay } from 'node:timers/promises'
import { startLiveNode, type LiveNode } from '../../live/node/live-node.ts'
import { loadLinkKeys } from '../../playback/access/link-keys.ts'
import { createPlayoutTokens } from '../../playback/access/playout-token.ts'
import { startHealthServer } from '../health/health-routes.ts'
import { limitSecrets } from './process-keys.ts'
import type { RunningRole } from './running-role.ts'
import type { Services } from './services.ts'

const supervisorMarginMs = 2_000

/** Another node takes over only where roles run apart. */
const defaultLiveStorage = ({ storage, supervisorId }: Services['config']): 'disk' | 'media' =>
  storage === 's3' && supervisorId === null ? 'media' : 'disk'

export const startLive = async (services: Services): Promise<RunningRole & { readonly node: LiveNode }> => {
  const { config } = services
  const { tlsCertFile, tlsKeyFile } = config
  const secrets = limitSecrets('live', services.secrets)
  const linkKeys = await loadLinkKeys(services.database, secrets.liveNodes, services.log)
  linkKeys.follow()
  const node = await startLiveNode({
    ...services,
    secrets,
    tokens: createPlayoutTokens(linkKeys),
    publicUrl: config.publicUrl,
    dataFolder: config.dataFolder,
    ingest: {
      host: config.liveHost ?? config.host,
      rtmpPort: config.rtmpPort,
      rtmpsPort: config.rtmpsPort,
      srtPort: config.srtPort,
      connectionsPerAddress: config.ingestConnectionsPerAddress,
      tls: tlsCertFile === null || tlsKeyFile === null ? null : { cert: tlsCertFile, key: tlsKeyFile },
    },
    url: config.liveUrl,
    ownPublicUrl: config.livePublicUrl,
    trustedProxies: config.trustedProxies,
    outbound: { allowCidrs: config.outboundAllowCidrs, isHttpAllowed: config.isOutboundHttpAllowed },
    maxLadders: config.liveLadders,
    maxStreams: config.liveMaxStreams,
    maxStreamsPerAccount: config.liveMaxStreamsPerAccount,
    dvrBytes: config.liveDiskBytes,
    dvrStorage: config.liveDvr ?? defaultLiveStorage(config),
    recordingStorage: config.liveRecordings ?? defaultLiveStorage(config),
    recordingMaxHours: config.recordingMaxHours,
    supervisorId: config.supervisorId,
  })
  const { liveHealthPort } = config
  const health =
    liveHealthPort === 0 ? null : await startHealthServer(services, liveHealthPort, [node.metrics])
  return {
    node,
    stop: async (graceMs) => {
      // Stops shortly before the supervisor kills it.
      const ownGraceMs = Math.max(0, graceMs - supervisorMarginMs)
      health?.readiness.stop()
      await delay(config.stopDelaySeconds * 1000)
      await node.stop(ownGraceMs)
      await health?.stop()
      linkKeys.stop()
    },
  }
}
