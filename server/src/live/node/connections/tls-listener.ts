import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { Log } from '../../../platform/log/log.ts'

export interface TlsListener {
  readonly server: Server
  readonly close: () => void
}

const rereadMs = 3_600_000

/** Reads the certificate again every hour, because it may be renewed while the server runs. */
export const createTlsListener = async (
  files: { readonly cert: string; readonly key: string },
  onSocket: (socket: Socket) => void,
  log: Log,
): Promise<TlsListener> => {
  const read = async () => ({
    cert: await readFile(files.cert),
    key: await readFile(files.key),
    minVersion: 'TLSv1.2' as const,
  })
  const server = createServer({ ...(await read()), handshakeTimeout: 10_000 }, onSocket)
  // A client that fails the handshake is not an encoder.
  server.on('tlsClientError', () => {})
  const timer = setInterval(() => {
    read().then(
      (context) => server.setSecureContext(context),
      (error: unknown) => log.warn({ err: error }, 'cannot reload the RTMPS certificate'),
    )
  }, rereadMs)
  timer.unref()
  return { server, close: () => clearInterval(timer) }
}
