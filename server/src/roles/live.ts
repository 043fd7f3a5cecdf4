import { startLiveNode, type LiveNode } from '../broadcast/live-node.ts'
import type { RunningRole } from './running-role.ts'
import type { Services } from './services.ts'

const supervisorMarginMs = 2_000

/** Takes live streams until it is stopped. */
export const startLive = async (services: Services): Promise<RunningRole & { readonly node: LiveNode }> => {
  const { config } = services
  const { tlsCertFile, tlsKeyFile } = config
  const node = await startLiveNode({
    ...services,
    publicUrl: config.publicUrl,
    dataFolder: config.dataFolder,
    ingest: {
      host: config.liveHost ?? config.host,
      rtmpPort: config.rtmpPort,
      rtmpsPort: config.rtmpsPort,
      srtPort: config.srtPort,
      tls: tlsCertFile === null || tlsKeyFile === null ? null : { cert: tlsCertFile, key: tlsKeyFile },
    },
    url: config.liveUrl,
    ownPublicUrl: config.livePublicUrl,
    outbound: { allowCidrs: config.outboundAllowCidrs, isHttpAllowed: config.isOutboundHttpAllowed },
    maxLadders: config.liveLadders,
    maxStreams: config.liveMaxStreams,
    dvrBytes: config.liveDiskBytes,
    recordingMaxHours: config.recordingMaxHours,
  })
  return {
    node,
    // A little before the supervisor loses its patience.
    stop: (graceMs) => node.stop(Math.max(0, graceMs - supervisorMarginMs)),
  }
}
