import { createServer, type Server, type Socket } from 'node:net'
import { createAddressCap } from '../../../platform/http/limits/address-cap.ts'
import type { TakenPort } from '../../../platform/db/tables/live.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Admissions } from './admission/admit-publisher.ts'
import { keepListening, type KeptListener } from '../connections/keep-listening.ts'
import { createRtmpIngest } from './rtmp-ingest.ts'
import { createTlsListener, type TlsListener } from '../connections/tls-listener.ts'

export interface IngestPorts {
  readonly host: string
  /** 0 disables it. */
  readonly rtmpPort: number
  readonly rtmpsPort: number
  /** Paths of the certificate and the key for RTMPS. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** Connections of one address to each protocol; 0 = no limit. */
  readonly connectionsPerAddress: number
}

interface IngestOptions extends IngestPorts {
  readonly admissions: Admissions
  readonly log: Log
}

export interface Ingest {
  /** Ports that another program uses. */
  readonly takenPorts: () => readonly TakenPort[]
  readonly stopListening: () => void
  readonly close: () => Promise<void>
}

export const openIngest = async ({
  host,
  rtmpPort,
  rtmpsPort,
  tls,
  connectionsPerAddress,
  admissions,
  log,
}: IngestOptions): Promise<Ingest> => {
  const rtmp = createRtmpIngest({ admissions, protocol: 'rtmp', log })
  const rtmps = createRtmpIngest({ admissions, protocol: 'rtmps', log })
  let plain: KeptListener | null = null
  if (rtmpPort !== 0) {
    const server = createServer((socket) => void rtmp.handleSocket(socket))
    limitSockets(server, connectionsPerAddress)
    plain = await keepListening(server, { host, port: rtmpPort, name: 'RTMP' }, log)
  }
  let secure: KeptListener | null = null
  let listener: TlsListener | null = null
  if (rtmpsPort !== 0 && tls !== null) {
    listener = await createTlsListener(tls, (socket) => void rtmps.handleSocket(socket), log).catch(
      (error: unknown) => {
        log.error({ err: error }, 'RTMPS is disabled: cannot read its certificate')
        return null
      },
    )
    if (listener !== null) {
      limitSockets(listener.server, connectionsPerAddress)
      secure = await keepListening(listener.server, { host, port: rtmpsPort, name: 'RTMPS' }, log)
    }
  }
  return {
    takenPorts: () => [
      ...takenPort('rtmp', rtmpPort, plain?.waitingSinceMs() ?? null),
      ...takenPort('rtmps', rtmpsPort, secure?.waitingSinceMs() ?? null),
    ],
    stopListening: () => {
      plain?.close()
      secure?.close()
      listener?.close()
    },
    close: async () => {
      const reason = 'The server is restarting. Connect again.'
      await Promise.all([rtmp.close(reason), rtmps.close(reason)])
    },
  }
}

/**
 * One address that opens many connections must not use up those of the port. Runs before the TLS handshake,
 * and before the listener that takes the connection.
 */
const limitSockets = (server: Server, perAddress: number): void => {
  const cap = createAddressCap(perAddress)
  server.prependListener('connection', (socket: Socket) => {
    const giveBack = cap.take(socket.remoteAddress ?? '')
    if (giveBack === null) socket.destroy()
    else socket.once('close', giveBack)
  })
}

/** Returns an empty list when the port is open or not configured. */
export const takenPort = (
  protocol: TakenPort['protocol'],
  port: number,
  sinceMs: number | null,
): readonly TakenPort[] => (sinceMs === null ? [] : [{ protocol, port, sinceMs }])
